// expect-error: inlay: two composites of one back end have the same name; give each a name of its own
#ifndef INLAY_COMPILES
#define HAS_ONE_NAME_TWICE
#endif
#include "a_backend.hpp"

static_assert(inlay::backend_list<a_backend>::size == 1);
