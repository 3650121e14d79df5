// expect-error: inlay: what stands here is no pattern; write it in the words of inlay::dsl: `any`, `constant`, `op<"onnx.Relu">(any)`
// expect-type: const char*
#include <inlay/pattern/dsl/dsl.hpp>

#ifdef INLAY_COMPILES
static_assert(inlay::pattern<decltype(inlay::dsl::op<"relu">(inlay::dsl::as<"x">))>);
#else
static_assert(inlay::pattern<decltype(inlay::dsl::op<"relu">("x"))>);
#endif
