// expect-error: inlay: what stands here is no pattern; write it in the words of inlay::dsl: `any`, `constant`, `op<"onnx.Relu">(any)`
// expect-type: double
#include <inlay/pattern/dsl/dsl.hpp>

#ifdef INLAY_COMPILES
static_assert(inlay::pattern<decltype(inlay::dsl::commutative<"add">(inlay::dsl::any, inlay::dsl::constant))>);
#else
static_assert(inlay::pattern<decltype(inlay::dsl::commutative<"add">(inlay::dsl::any, 1.5))>);
#endif
