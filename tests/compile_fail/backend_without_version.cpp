// expect-error: inlay: a back end gives the version of what it calls with `std::string version() const`, or a static one
#ifndef INLAY_COMPILES
#define LACKS_VERSION
#endif
#include "a_backend.hpp"

static_assert(inlay::backend_list<a_backend>::size == 1);
