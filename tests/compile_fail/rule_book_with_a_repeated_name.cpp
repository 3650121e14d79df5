// expect-error: inlay: two rules of one rule_book have the same name; give each a name of its own
#include <inlay/rewrite/rule.hpp>

using namespace inlay::dsl;

constexpr auto one = inlay::rule<"r">(op<"onnx.Relu">(as<"x">), as<"x">);
#ifdef INLAY_COMPILES
constexpr auto two = inlay::rule<"s">(op<"onnx.Abs">(as<"x">), as<"x">);
#else
constexpr auto two = inlay::rule<"r">(op<"onnx.Abs">(as<"x">), as<"x">);
#endif
constexpr inlay::rule_book book(one, two);
