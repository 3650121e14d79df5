// expect-error: inlay: the step of a dsl::repeat matches at the node of its own dsl::hole; put the hole under an operator
#include <inlay/pattern/dsl/dsl_guard.hpp>
#include <inlay/pattern/dsl/dsl_node.hpp>
#include <inlay/pattern/dsl/dsl_repeat.hpp>

inlay::term_id root();
inlay::term_id root() {
    using namespace inlay::dsl;
#ifdef INLAY_COMPILES
    return inlay::view_of(repeat<>(op<"f">(hole) | op<"g">(hole), any)).root;
#else
    return inlay::view_of(repeat<>(op<"f">(hole) | hole, any)).root;
#endif
}
