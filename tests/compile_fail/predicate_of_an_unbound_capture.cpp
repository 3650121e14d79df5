// expect-error: inlay: the pattern of this predicate binds no capture of that name
#include <inlay/candidate/match_view.hpp>

bool has_bias(const inlay::match_view<inlay::capture_names<"x">>& found);
bool has_bias(const inlay::match_view<inlay::capture_names<"x">>& found) {
#ifdef INLAY_COMPILES
    return found.has<"x">();
#else
    return found.has<"bias">();
#endif
}
