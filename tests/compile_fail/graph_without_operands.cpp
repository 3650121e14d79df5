// expect-error: g.operand(n, i)
#ifndef INLAY_COMPILES
#define LACKS_OPERAND
#endif
#include "a_graph.hpp"

#include <inlay/graph/users.hpp>
#include <inlay/pattern/dsl/dsl.hpp>
#include <inlay/pattern/match/match.hpp>

bool found(const a_graph& g, const inlay::user_lists& users);
bool found(const a_graph& g, const inlay::user_lists& users) { return inlay::match(inlay::dsl::any, g, users, 0).has_value(); }
