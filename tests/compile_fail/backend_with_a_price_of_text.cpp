// expect-error: inlay: a back end prices a region with `std::optional<double> price(const region_view&) const`; nothing means: measure it
#ifndef INLAY_COMPILES
#define LACKS_PRICE
#endif
#include "a_backend.hpp"

struct dear : a_backend {
#ifndef INLAY_COMPILES
    [[nodiscard]] std::string price(const inlay::region_view&) const { return "much"; }
#endif
};

static_assert(inlay::backend_list<dear>::size == 1);
