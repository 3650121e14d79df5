// expect-error: inlay: a configured back end is a value: default constructible (a bare kind) and copyable
#ifndef INLAY_COMPILES
#define LACKS_DEFAULT
#endif
#include "a_backend.hpp"

static_assert(inlay::backend_list<a_backend>::size == 1);
