// expect-error: inlay: a dsl::named stands in itself under a negation or on the path of a dominator
#include <inlay/pattern/dsl/dsl_guard.hpp>
#include <inlay/pattern/dsl/dsl_node.hpp>
#include <inlay/pattern/dsl/dsl_repeat.hpp>

inlay::term_id root();
inlay::term_id root() {
    using namespace inlay::dsl;
#ifdef INLAY_COMPILES
    return inlay::view_of(named<"p">(op<"f">(again<"p"> | !op<"g">))).root;
#else
    return inlay::view_of(named<"p">(op<"f">(!again<"p">))).root;
#endif
}
