// expect-error: inlay: inside a dsl::named another one has its name; give the inner one another name
#include <inlay/pattern/dsl/dsl_guard.hpp>
#include <inlay/pattern/dsl/dsl_node.hpp>
#include <inlay/pattern/dsl/dsl_repeat.hpp>

inlay::term_id root();
inlay::term_id root() {
    using namespace inlay::dsl;
#ifdef INLAY_COMPILES
    return inlay::view_of(named<"p">(op<"f">(named<"q">(any)) | op<"g">(again<"p">))).root;
#else
    return inlay::view_of(named<"p">(op<"f">(named<"p">(any)) | op<"g">(again<"p">))).root;
#endif
}
