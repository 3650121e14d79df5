// expect-error: inlay: the right side of a rule says how to build nodes: captures, operators on listed operands, numbers, tuples and their
// fields, nothing that leaves a choice
#include <inlay/rewrite/rule.hpp>

using namespace inlay::dsl;

#ifdef INLAY_COMPILES
constexpr auto made = inlay::rule<"r">(op<"onnx.Relu">(as<"x">), op<"onnx.Abs">(as<"x">));
#else
constexpr auto made = inlay::rule<"r">(op<"onnx.Relu">(as<"x">), op<"onnx.Abs">(any));
#endif
