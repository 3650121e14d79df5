// expect-error: inlay: the predicate of a rule captures nothing; it reads the context that it is called with
#include <inlay/candidate/rules/op_rule.hpp>

struct at_most {
    int count;
    template <class Context>
    bool operator()(const Context&, inlay::node_id) const {
        return count > 0;
    }
};
struct always_yes {
    template <class Context>
    bool operator()(const Context&, inlay::node_id) const {
        return true;
    }
};

#ifdef INLAY_COMPILES
inline constexpr inlay::op_rule<"x", always_yes> rule{};
#else
inline constexpr inlay::op_rule<"x", at_most> rule{};
#endif
