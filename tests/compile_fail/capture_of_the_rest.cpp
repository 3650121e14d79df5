// expect-error: inlay: dsl::rest is all operands that remain, not one node; write it by itself, last among the operands of a pattern
#include <inlay/pattern/dsl/dsl.hpp>

#ifdef INLAY_COMPILES
static_assert(inlay::pattern<decltype(inlay::dsl::op<"Concat">(inlay::dsl::as<"x">, inlay::dsl::rest))>);
#else
static_assert(inlay::pattern<decltype(inlay::dsl::op<"Concat">(inlay::dsl::as<"x">(inlay::dsl::rest)))>);
#endif
