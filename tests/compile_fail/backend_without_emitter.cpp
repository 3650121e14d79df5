// expect-error: inlay: a back end makes code with `outcome<kernel> emit(const region_view&) const`
#ifndef INLAY_COMPILES
#define LACKS_EMIT
#endif
#include "a_backend.hpp"

static_assert(inlay::backend_list<a_backend>::size == 1);
