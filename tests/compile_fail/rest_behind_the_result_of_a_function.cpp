// expect-error: inlay: the last of a dsl::function is its result; whatever its parameters, write dsl::any_function(result)
#include <inlay/pattern/dsl/dsl_guard.hpp>
#include <inlay/pattern/dsl/dsl_node.hpp>
#include <inlay/pattern/dsl/dsl_repeat.hpp>

inlay::term_id root();
inlay::term_id root() {
    using namespace inlay::dsl;
#ifdef INLAY_COMPILES
    return inlay::view_of(any_function(op<"f">)).root;
#else
    return inlay::view_of(function(op<"f">, rest)).root;
#endif
}
