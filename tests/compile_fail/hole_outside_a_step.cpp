// expect-error: inlay: dsl::hole stands in no step of a dsl::repeat, or in a dsl::named inside one
#include <inlay/pattern/dsl/dsl_guard.hpp>
#include <inlay/pattern/dsl/dsl_node.hpp>
#include <inlay/pattern/dsl/dsl_repeat.hpp>

inlay::term_id root();
inlay::term_id root() {
    using namespace inlay::dsl;
#ifdef INLAY_COMPILES
    return inlay::view_of(repeat<>(op<"f">(hole), any)).root;
#else
    return inlay::view_of(op<"f">(hole)).root;
#endif
}
