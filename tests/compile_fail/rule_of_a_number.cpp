// expect-error: inlay: what stands here is no partition rule; give it one, such as `kind_rule<op_kind::anchor>`
// expect-type: int
#include <inlay/candidate/rules/composite_rule.hpp>
#include <inlay/candidate/rules/kind_rule.hpp>

#ifdef INLAY_COMPILES
inline constexpr inlay::composite_rule<"x", inlay::kind_rule<>> rule{};
#else
inline constexpr inlay::composite_rule<"x", int> rule{};
#endif
