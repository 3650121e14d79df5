// expect-error: inlay: a back end names the plain target it refines with `static constexpr std::string_view refines`
#ifndef INLAY_COMPILES
#define LACKS_REFINES
#endif
#include "a_backend.hpp"

static_assert(inlay::backend_list<a_backend>::size == 1);
