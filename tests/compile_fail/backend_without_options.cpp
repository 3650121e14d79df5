// expect-error: inlay: a back end declares its options with `using options = option_list<...>`, which may be empty
#ifndef INLAY_COMPILES
#define LACKS_OPTIONS
#endif
#include "a_backend.hpp"

static_assert(inlay::backend_list<a_backend>::size == 1);
