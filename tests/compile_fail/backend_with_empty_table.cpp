// expect-error: inlay: a back end without a pattern can take nothing; give `patterns()` at least one composite
#ifndef INLAY_COMPILES
#define HAS_NO_PATTERN
#endif
#include "a_backend.hpp"

static_assert(inlay::backend_list<a_backend>::size == 1);
