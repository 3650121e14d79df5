// expect-error: inlay: a back end says whether it can run here with `outcome<void> usable() const`
#ifndef INLAY_COMPILES
#define LACKS_USABLE
#endif
#include "a_backend.hpp"

static_assert(inlay::backend_list<a_backend>::size == 1);
