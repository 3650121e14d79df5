// expect-error: inlay: the functions of a rule capture nothing; they read the match
#include <inlay/rewrite/rule.hpp>

using namespace inlay::dsl;

auto made_with(int number);
auto made_with([[maybe_unused]] int number) {
#ifdef INLAY_COMPILES
    return inlay::rule<"r">(op<"onnx.Relu">(as<"x">), [](const auto&, auto&) -> inlay::node_id { return inlay::no_node; });
#else
    return inlay::rule<"r">(op<"onnx.Relu">(as<"x">),
                            [number](const auto&, auto&) -> inlay::node_id { return number == 0 ? inlay::no_node : 0; });
#endif
}
