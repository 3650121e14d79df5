// expect-error: inlay: dsl::again names a pattern that no dsl::named around it defines
#include <inlay/pattern/dsl/dsl_guard.hpp>
#include <inlay/pattern/dsl/dsl_node.hpp>
#include <inlay/pattern/dsl/dsl_repeat.hpp>

inlay::term_id root();
inlay::term_id root() {
    using namespace inlay::dsl;
#ifdef INLAY_COMPILES
    return inlay::view_of(named<"p">(op<"f">(again<"p"> | any))).root;
#else
    return inlay::view_of(named<"p">(op<"f">(again<"q"> | any))).root;
#endif
}
