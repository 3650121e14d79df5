// expect-error: inlay: the left side of this rule binds no capture of that name
#include <inlay/rewrite/rule.hpp>

template <class Graph>
inlay::node_id operand_of(const inlay::rule_match<Graph, inlay::capture_names<"x">>& m) {
#ifdef INLAY_COMPILES
    return m.template at<"x">();
#else
    return m.template at<"y">();
#endif
}
inlay::node_id use(const inlay::rule_match<int, inlay::capture_names<"x">>& m);
inlay::node_id use(const inlay::rule_match<int, inlay::capture_names<"x">>& m) { return operand_of(m); }
