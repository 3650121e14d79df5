// expect-error: inlay: what stands here in a pattern_table is no composite; give the pattern a name: `composite<"name">(pattern)`
// expect-type: inlay::dsl::any_pattern
#include "a_backend.hpp"

struct unnamed : a_backend {
    static constexpr auto patterns() {
#ifdef INLAY_COMPILES
        return inlay::pattern_table(inlay::composite<"any">(inlay::dsl::any));
#else
        return inlay::pattern_table(inlay::dsl::any);
#endif
    }
};

static_assert(inlay::backend_list<unnamed>::size == 1);
