// expect-error: inlay: a back end says what it can do with `static constexpr auto patterns()`, a `pattern_table`
#ifndef INLAY_COMPILES
#define LACKS_PATTERNS
#endif
#include "a_backend.hpp"

static_assert(inlay::backend_list<a_backend>::size == 1);
