// expect-error: inlay: the right side of a rule uses a capture that its left side does not bind
#include <inlay/rewrite/rule.hpp>

using namespace inlay::dsl;

#ifdef INLAY_COMPILES
constexpr auto made = inlay::rule<"r">(op<"onnx.Relu">(as<"x">), as<"x">);
#else
constexpr auto made = inlay::rule<"r">(op<"onnx.Relu">(as<"x">), as<"y">);
#endif
