// expect-error: inlay: what stands here in a phase_list is no phase; say where it runs: `before_partitioning<"name">(f)`,
// `after_partitioning<"name">(f)` or `loop_phase<0, "name">(f)`
#ifdef INLAY_COMPILES
#define PHASES inlay::after_partitioning<"tidy">(pass_over_programs{})
#else
#define PHASES \
    pass_over_programs {}
#endif
#include "a_phased_backend.hpp"
