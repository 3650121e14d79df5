// expect-error: inlay: what stands here is no pattern; write it in the words of inlay::dsl: `any`, `constant`, `op<"onnx.Relu">(any)`
// expect-type: int
#include <inlay/pattern/dsl/composite.hpp>
#include <inlay/pattern/dsl/dsl.hpp>

#ifdef INLAY_COMPILES
inline constexpr auto table = inlay::pattern_table(inlay::composite<"x">(inlay::dsl::any));
#else
inline constexpr auto table = inlay::pattern_table(inlay::composite<"x">(42));
#endif
