// expect-error: inlay: a dsl::hole stands in its step under a negation or on the path of a dominator
#include <inlay/pattern/dsl/dsl_guard.hpp>
#include <inlay/pattern/dsl/dsl_node.hpp>
#include <inlay/pattern/dsl/dsl_repeat.hpp>

inlay::term_id root();
inlay::term_id root() {
    using namespace inlay::dsl;
#ifdef INLAY_COMPILES
    return inlay::view_of(repeat<>(op<"f">(hole) & !op<"g">(any), any)).root;
#else
    return inlay::view_of(repeat<>(op<"f">(hole) & !op<"g">(hole), any)).root;
#endif
}
