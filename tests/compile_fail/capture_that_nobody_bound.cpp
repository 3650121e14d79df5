// expect-error: inlay: this pattern binds no capture of that name
#include <inlay/pattern/dsl/dsl.hpp>
#include <inlay/pattern/match/match.hpp>

constexpr auto relu = inlay::dsl::op<"onnx.Relu">(inlay::dsl::as<"x">);

inlay::node_id operand_of(const inlay::match_result<std::remove_const_t<decltype(relu)>>& found);
inlay::node_id operand_of(const inlay::match_result<std::remove_const_t<decltype(relu)>>& found) {
#ifdef INLAY_COMPILES
    return found.at<"x">();
#else
    return found.at<"y">();
#endif
}
