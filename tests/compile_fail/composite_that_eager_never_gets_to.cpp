// expect-error: inlay: a composite of a back end stands behind one without a predicate that matches wherever it does
#include "a_backend.hpp"

#include <inlay/codegen/list/list_lint.hpp>

struct unordered : a_backend {
    static constexpr auto patterns() {
        using namespace inlay::dsl;
        constexpr auto small = inlay::composite<"relu">(op<"onnx.Relu">);
        constexpr auto large = inlay::composite<"add_relu">(op<"onnx.Relu">(op<"onnx.Add">));
#ifdef INLAY_COMPILES
        return inlay::pattern_table(large, small);
#else
        return inlay::pattern_table(small, large);
#endif
    }
};
static_assert(inlay::fit_for_eager<inlay::backend_list<unordered>>);
