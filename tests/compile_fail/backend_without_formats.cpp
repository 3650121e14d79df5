// expect-error: inlay: a back end lists the border formats it takes with `std::vector<border_formats> formats(const region_view&) const`
#ifndef INLAY_COMPILES
#define LACKS_FORMATS
#endif
#include "a_backend.hpp"

static_assert(inlay::backend_list<a_backend>::size == 1);
