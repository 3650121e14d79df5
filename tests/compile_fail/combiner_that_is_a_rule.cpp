// expect-error: inlay: what stands here is no combiner; give combine_rule such as `by_kind<op_kind::anchor, op_kind::broadcast>`
#include <inlay/candidate/rules/combine_rule.hpp>
#include <inlay/candidate/rules/kind_rule.hpp>
#include <inlay/candidate/rules/tuple_projection.hpp>

#ifdef INLAY_COMPILES
inline constexpr inlay::combine_rule<inlay::kind_rule<>, 2, inlay::tuple_projection> rule{};
#else
inline constexpr inlay::combine_rule<inlay::kind_rule<>, 2, inlay::kind_rule<>> rule{};
#endif
