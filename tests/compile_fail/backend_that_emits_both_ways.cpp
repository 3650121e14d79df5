// expect-error: inlay: a back end emits regions, or lowers them to loop nests and emits these, and not both; leave out `emit(const
// region_view&)` or `lower`
#ifndef INLAY_COMPILES
#define EMITS_BOTH
#endif
#include "a_phased_backend.hpp"
