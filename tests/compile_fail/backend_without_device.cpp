// expect-error: inlay: a back end says for which device type it generates code with `static constexpr device_type device`
#ifndef INLAY_COMPILES
#define LACKS_DEVICE
#endif
#include "a_backend.hpp"

static_assert(inlay::backend_list<a_backend>::size == 1);
