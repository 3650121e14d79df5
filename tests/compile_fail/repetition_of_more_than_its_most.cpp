// expect-error: inlay: a dsl::repeat<least, most> repeats at least as often as at most; write the smaller number first
#include <inlay/pattern/dsl/dsl_guard.hpp>
#include <inlay/pattern/dsl/dsl_node.hpp>
#include <inlay/pattern/dsl/dsl_repeat.hpp>

inlay::term_id root();
inlay::term_id root() {
    using namespace inlay::dsl;
#ifdef INLAY_COMPILES
    return inlay::view_of(repeat<1, 2>(op<"f">(hole), any)).root;
#else
    return inlay::view_of(repeat<2, 1>(op<"f">(hole), any)).root;
#endif
}
