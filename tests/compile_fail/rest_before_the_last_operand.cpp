// expect-error: inlay: dsl::rest stands last among the operands of a pattern
#include "a_graph.hpp"

#include <inlay/graph/users.hpp>
#include <inlay/pattern/dsl/dsl.hpp>
#include <inlay/pattern/match/match.hpp>

bool found(const a_graph& g, const inlay::user_lists& users);
bool found(const a_graph& g, const inlay::user_lists& users) {
    using namespace inlay::dsl;
#ifdef INLAY_COMPILES
    return inlay::match(op<"Concat">(any, rest), g, users, 0).has_value();
#else
    return inlay::match(op<"Concat">(rest, any), g, users, 0).has_value();
#endif
}
