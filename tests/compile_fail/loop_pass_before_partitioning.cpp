// expect-error: inlay: what this back end does before partitioning takes a program and gives one: `outcome<ir_module>(const B&, const
// ir_module&)`; a pass over loop nests stands in a loop_phase
#ifdef INLAY_COMPILES
#define PHASES inlay::before_partitioning<"tile">(pass_over_programs{})
#else
#define PHASES inlay::before_partitioning<"tile">(pass_over_nests{})
#endif
#include "a_phased_backend.hpp"
