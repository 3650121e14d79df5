// expect-error: inlay: a loop phase of this back end takes a loop nest and gives one: `outcome<nest>(const B&, nest)`; a pass over programs
// stands before or after partitioning
#ifdef INLAY_COMPILES
#define PHASES inlay::loop_phase<1, "tidy">(pass_over_nests{})
#else
#define PHASES inlay::loop_phase<1, "tidy">(pass_over_programs{})
#endif
#include "a_phased_backend.hpp"
