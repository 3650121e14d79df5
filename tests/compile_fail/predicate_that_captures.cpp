// expect-error: inlay: the predicate of a composite captures nothing; it reads the match and the back end's options
#include <inlay/pattern/dsl/composite.hpp>
#include <inlay/pattern/dsl/dsl.hpp>

void declare(int limit);
void declare(int limit) {
#ifdef INLAY_COMPILES
    (void)limit;
    (void)inlay::composite<"relu">(inlay::dsl::op<"onnx.Relu">, [](const auto&, const auto&) { return inlay::verdict::yes(); });
#else
    (void)inlay::composite<"relu">(inlay::dsl::op<"onnx.Relu">, [limit](const auto&, const auto&) {
        return inlay::verdict{limit > 0, ""};
    });
#endif
}
