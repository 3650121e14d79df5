// expect-error: inlay: a composite makes code of the plan that it read, but phases after partitioning or the constants policy of its back
// end change the region behind that plan
#define LACKS_PATTERNS
#include "a_backend.hpp"

struct with_code {
    struct plan {};

    template <class Backend, class Match>
    inlay::outcome<plan> read(const Backend&, const Match&) const {
        return plan{};
    }
    template <class Backend>
    inlay::outcome<inlay::kernel> emit(const Backend&, const plan&, const inlay::region_view&) const {
        return inlay::error{"it emits nothing"};
    }
};
struct lifting : a_backend {
#ifndef INLAY_COMPILES
    static constexpr inlay::constants_policy constants = inlay::constants_policy::lift;
#endif
    static constexpr auto patterns() { return inlay::pattern_table{inlay::composite<"relu">(inlay::dsl::op<"onnx.Relu">, with_code{})}; }
};

static_assert(inlay::backend_list<lifting>::size == 1);
