// expect-error: inlay: the value of a dsl::attribute is a whole number, a fixed_string, ints<...>{}, texts<...>{}, number{...}, present{}
// or absent{}
#include <inlay/pattern/dsl/dsl_guard.hpp>
#include <inlay/pattern/dsl/dsl_node.hpp>
#include <inlay/pattern/dsl/dsl_repeat.hpp>

inlay::term_id root();
inlay::term_id root() {
    using namespace inlay::dsl;
#ifdef INLAY_COMPILES
    return inlay::view_of(attribute<"axis", ints<1, 2>{}>(any)).root;
#else
    return inlay::view_of(attribute<"axis", nullptr>(any)).root;
#endif
}
