// expect-error: inlay: this back end has a loop phase and no loops; give it `nest`, `outcome<nest> lower(const region_view&) const` and
// `outcome<kernel> emit(const nest&) const`
#ifndef INLAY_COMPILES
#define LACKS_NESTS
#endif
#define PHASES inlay::loop_phase<1, "tile">(pass_over_nests{})
#include "a_phased_backend.hpp"
