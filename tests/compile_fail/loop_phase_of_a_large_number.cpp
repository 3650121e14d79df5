// expect-error: inlay: loop phases have the numbers 0 to 3
#ifdef INLAY_COMPILES
#define PHASES inlay::loop_phase<3, "tile">(pass_over_nests{})
#else
#define PHASES inlay::loop_phase<4, "tile">(pass_over_nests{})
#endif
#include "a_phased_backend.hpp"
