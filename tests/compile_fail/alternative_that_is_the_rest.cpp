// expect-error: inlay: dsl::rest is all operands that remain, not one node; write it by itself, last among the operands of a pattern
#include <inlay/pattern/dsl/dsl.hpp>

#ifdef INLAY_COMPILES
static_assert(inlay::pattern<decltype(inlay::dsl::any | inlay::dsl::constant)>);
#else
static_assert(inlay::pattern<decltype(inlay::dsl::constant | inlay::dsl::rest)>);
#endif
