// expect-error: inlay: what stands here is no pattern; write it in the words of inlay::dsl: `any`, `constant`, `op<"onnx.Relu">(any)`
// expect-type: int
#include <inlay/pattern/dsl/dsl.hpp>

#ifdef INLAY_COMPILES
static_assert(inlay::pattern<decltype(inlay::dsl::optional<"relu">(inlay::dsl::any))>);
#else
static_assert(inlay::pattern<decltype(inlay::dsl::optional<"relu">(42))>);
#endif
