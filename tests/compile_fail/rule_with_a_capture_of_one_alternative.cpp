// expect-error: inlay: the right side of a rule uses a capture that its left side binds in some of its alternatives only; write a rule for
// each of them
#include <inlay/rewrite/rule.hpp>

using namespace inlay::dsl;

#ifdef INLAY_COMPILES
constexpr auto made = inlay::rule<"r">(op<"onnx.Relu">(as<"x">) | op<"onnx.Abs">(as<"x">), as<"x">);
#else
constexpr auto made = inlay::rule<"r">(op<"onnx.Relu">(as<"x">) | op<"onnx.Abs">, as<"x">);
#endif
