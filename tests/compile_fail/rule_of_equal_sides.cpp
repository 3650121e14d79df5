// expect-error: inlay: both sides of a rule are the same, so that it would change nothing; take it out or mend one side
#include <inlay/rewrite/rule.hpp>

using namespace inlay::dsl;

#ifdef INLAY_COMPILES
constexpr auto made = inlay::rule<"r">(op<"onnx.Relu">(as<"x">), op<"onnx.Abs">(as<"x">));
#else
constexpr auto made = inlay::rule<"r">(op<"onnx.Relu">(as<"x">), op<"onnx.Relu">(as<"x">));
#endif
