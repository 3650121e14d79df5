// expect-error: inlay: the second argument of a pattern_rule is the type of a pattern: `decltype(dsl::op<"onnx.Relu">(dsl::any))`
#include <inlay/candidate/rules/pattern_rule.hpp>
#include <inlay/pattern/dsl/dsl.hpp>

#ifdef INLAY_COMPILES
inline constexpr inlay::pattern_rule<"x", decltype(inlay::dsl::any)> rule{};
#else
inline constexpr inlay::pattern_rule<"x", int> rule{};
#endif
