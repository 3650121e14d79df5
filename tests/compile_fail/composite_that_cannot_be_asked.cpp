// expect-error: inlay: the third part of a composite is a predicate, called with the back end and a match to give a `verdict`, or has
// `read(back end, match)` that gives an `outcome` of the composite's plan
#define LACKS_PATTERNS
#include "a_backend.hpp"

struct no_question {
#ifdef INLAY_COMPILES
    template <class Backend, class Match>
    inlay::verdict operator()(const Backend&, const Match&) const {
        return inlay::verdict::yes();
    }
#endif
};
struct unasked : a_backend {
    static constexpr auto patterns() { return inlay::pattern_table{inlay::composite<"relu">(inlay::dsl::op<"onnx.Relu">, no_question{})}; }
};

static_assert(inlay::backend_list<unasked>::size == 1);
