// expect-error: inlay: a back end prices a region with `std::optional<double> price(const region_view&) const`; nothing means: measure it
#ifndef INLAY_COMPILES
#define LACKS_PRICE
#endif
#include "a_backend.hpp"

static_assert(inlay::backend_list<a_backend>::size == 1);
