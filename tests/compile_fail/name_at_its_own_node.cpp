// expect-error: inlay: a dsl::named stands in itself at its own node; put dsl::again under an operator
#include <inlay/pattern/dsl/dsl_guard.hpp>
#include <inlay/pattern/dsl/dsl_node.hpp>
#include <inlay/pattern/dsl/dsl_repeat.hpp>

inlay::term_id root();
inlay::term_id root() {
    using namespace inlay::dsl;
#ifdef INLAY_COMPILES
    return inlay::view_of(named<"p">(any | op<"f">(again<"p">))).root;
#else
    return inlay::view_of(named<"p">(any | again<"p">)).root;
#endif
}
