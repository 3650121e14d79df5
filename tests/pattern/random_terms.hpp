// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_PATTERN_RANDOM_TERMS_HPP
#define INLAY_TESTS_PATTERN_RANDOM_TERMS_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/graph/concepts.hpp>
#include <inlay/pattern/term/pattern_term.hpp>

/// A graph of all the kinds of nodes that patterns tell apart.
struct kinds_graph {
    struct node {
        inlay::node_kind kind = inlay::node_kind::call;
        std::string_view name{};
        std::vector<inlay::node_id> reads{};
        inlay::node_type type{};
        inlay::attribute_map attributes{};
        inlay::tensor value{};
        std::size_t field = 0;
    };
    std::vector<node> nodes;

    [[nodiscard]] std::size_t size() const { return nodes.size(); }
    [[nodiscard]] inlay::node_kind kind(inlay::node_id n) const { return nodes[n].kind; }
    [[nodiscard]] std::string_view op(inlay::node_id n) const { return nodes[n].name; }
    [[nodiscard]] std::string_view name(inlay::node_id n) const { return nodes[n].name; }
    [[nodiscard]] std::string_view symbol(inlay::node_id n) const { return nodes[n].name; }
    [[nodiscard]] std::size_t arity(inlay::node_id n) const { return nodes[n].reads.size(); }
    [[nodiscard]] inlay::node_id operand(inlay::node_id n, std::size_t i) const { return nodes[n].reads[i]; }
    [[nodiscard]] const inlay::node_type& type(inlay::node_id n) const { return nodes[n].type; }
    [[nodiscard]] const inlay::attribute_map& attributes(inlay::node_id n) const { return nodes[n].attributes; }
    [[nodiscard]] const inlay::tensor* constant(inlay::node_id n) const {
        return nodes[n].kind == inlay::node_kind::constant ? &nodes[n].value : nullptr;
    }
    [[nodiscard]] inlay::block_id block(inlay::node_id) const { return 0; }
    [[nodiscard]] std::size_t field(inlay::node_id n) const { return nodes[n].field; }
};
static_assert(inlay::functional_graph<kinds_graph>);

/// The same graph, which numbers its operators.
struct interned_kinds_graph : kinds_graph {
    std::uint32_t beyond = 0;  // what numbers of operators begin with
    [[nodiscard]] std::uint32_t op_id(inlay::node_id n) const { return beyond + static_cast<std::uint32_t>(nodes[n].name[0] - 'a'); }
};

inline constexpr std::array<std::string_view, 5> random_names{"f", "g", "h", "k", "m"};

/// What a call may be beside its operator.
inline void set_properties(kinds_graph::node& n, std::mt19937& random) {
    using namespace inlay;
    const auto below = [&](std::size_t count) { return random() % count; };
    if (below(2) == 0) n.attributes.set("axis", static_cast<std::int64_t>(below(2)));
    if (below(3) == 0) n.attributes.set("mode", std::string(below(2) == 0 ? "same" : "valid"));
    n.type = tensor_type(below(2) == 0 ? element_type::float32 : element_type::int64,
                         {extent(static_cast<std::int64_t>(1 + below(2))), extent(3)});
}

template <class G = kinds_graph>
[[nodiscard]] G random_kinds_graph(std::uint32_t seed, std::size_t size) {
    using namespace inlay;
    std::mt19937 random(seed);
    const auto below = [&](std::size_t count) { return random() % count; };
    G g;
    while (g.size() < size) {
        kinds_graph::node n;
        n.name = random_names[below(random_names.size())];
        const std::size_t what = g.size() < 2 ? below(2) : below(16);
        if (what == 0) {
            n.kind = node_kind::input;
        } else if (what == 1) {
            n.kind = node_kind::constant;
            n.value = tensor::scalar(static_cast<float>(below(2)));
        } else if (what == 2) {
            n.kind = below(2) == 0 ? node_kind::tuple : node_kind::function;
        } else if (what == 3) {
            n.kind = node_kind::projection;
            n.field = below(2);
        }
        if (what > 1) {
            const std::size_t many = below(20) == 0 ? 12 : 4;
            n.reads.resize(what == 3 ? 1 : 1 + below(many));
            // Near operands make long chains, far ones make branches.
            for (auto& o : n.reads) o = static_cast<node_id>(below(3) == 0 ? below(g.size()) : g.size() - 1 - below(2));
        }
        set_properties(n, random);
        g.nodes.push_back(std::move(n));
    }
    return g;
}

/// A pattern that owns its terms.
struct owned_pattern {
    std::vector<inlay::pattern_term> terms;
    std::vector<inlay::term_id> links;
    inlay::term_id root = 0;

    static constexpr std::array<std::string_view, 3> slots{"x", "y", "z"};

    [[nodiscard]] inlay::pattern_view view() const { return {terms, links, slots, root}; }

    inlay::term_id add(inlay::pattern_term t, const std::vector<inlay::term_id>& children = {}) {
        t.first = static_cast<std::uint32_t>(links.size());
        t.count = static_cast<std::uint32_t>(children.size());
        links.insert(links.end(), children.begin(), children.end());
        terms.push_back(t);
        return static_cast<inlay::term_id>(terms.size() - 1);
    }
};

/// Makes random patterns of all kinds of terms.
class pattern_maker {
public:
    explicit pattern_maker(std::uint32_t seed) : random_(seed) {}

    [[nodiscard]] owned_pattern make(int depth) {
        made_ = {};
        open_.clear();
        steps_ = 0;
        made_.root = term(depth);
        return made_;
    }

private:
    using kind = inlay::term_kind;

    std::size_t below(std::size_t count) { return random_() % count; }

    inlay::term_id any() { return made_.add({}); }
    inlay::term_id leaf(inlay::node_kind of) {
        inlay::pattern_term t;
        t.kind = kind::node;
        t.node = of;
        t.open = below(2) == 0;
        return made_.add(t);
    }
    inlay::pattern_term of_kind(kind k) {
        inlay::pattern_term t;
        t.kind = k;
        return t;
    }

    inlay::term_id term(int depth) {
        using namespace inlay;
        if (steps_ != 0 && below(3) == 0) return made_.add(of_kind(kind::hole));
        if (!open_.empty() && below(4) == 0) return made_.add(of_kind(kind::reference), {open_[below(open_.size())]});
        if (depth <= 0) {
            switch (below(5)) {
                case 0:
                    return leaf(node_kind::input);
                case 1:
                    return leaf(node_kind::constant);
                case 2:
                    return call(0);
                default:
                    return any();
            }
        }
        switch (below(24)) {
            case 0: {
                pattern_term t = of_kind(kind::literal);
                t.number = static_cast<double>(below(2));
                return made_.add(t);
            }
            case 1:
            case 2:
            case 3:
                return several(kind::either, depth);
            case 4:
                return several(kind::both, depth);
            case 5:
                return made_.add(of_kind(kind::no), {term(depth - 1)});
            case 6:
            case 7: {
                pattern_term t = of_kind(kind::capture);
                t.place = static_cast<std::uint32_t>(below(3));
                return made_.add(t, {term(depth - 1)});
            }
            case 8: {
                static constexpr std::int64_t zero[] = {0};
                static constexpr std::string_view same[] = {"same"};
                static constexpr attribute_guard guards[] = {{"axis", attribute_guard::form::integer, zero, {}, {}},
                                                             {"mode", attribute_guard::form::text, {}, {}, same},
                                                             {"axis", attribute_guard::form::absent, {}, {}, {}},
                                                             {"mode", attribute_guard::form::present, {}, {}, {}}};
                pattern_term t = of_kind(kind::attributes);
                t.guards = std::span<const attribute_guard>(guards).subspan(below(4), 1);
                return made_.add(t, {term(depth - 1)});
            }
            case 9: {
                static const type_guard types[] = {{type_guard::form::tensor, element_type::float32},
                                                   {type_guard::form::tensor, element_type::int64}};
                pattern_term t = of_kind(kind::type);
                t.type = &types[below(2)];
                return made_.add(t, {term(depth - 1)});
            }
            case 10: {
                pattern_term t = of_kind(kind::repeat);
                t.least = static_cast<std::uint32_t>(below(3));
                t.most = below(2) == 0 ? pattern_term::unbounded : t.least + static_cast<std::uint32_t>(below(3));
                ++steps_;
                const term_id step = call(depth - 1);
                --steps_;
                return made_.add(t, {step, term(depth - 1)});
            }
            case 11: {
                const term_id self = made_.add(of_kind(kind::reference), {no_term});
                open_.push_back(self);
                const std::size_t steps = std::exchange(steps_, 0);
                const term_id body = below(4) == 0 ? term(depth - 1) : several(kind::either, depth);
                steps_ = steps;
                open_.pop_back();
                made_.links[made_.terms[self].first] = body;
                return self;
            }
            case 12: {
                if (below(2) == 0) return made_.add(of_kind(kind::dominates), {term(depth - 1), term(depth - 1), term(depth - 1)});
                pattern_term t = of_kind(kind::node);
                t.node = node_kind::projection;
                if (below(2) == 0) t.place = static_cast<std::uint32_t>(below(2));
                return made_.add(t, {term(depth - 1)});
            }
            case 13: {
                pattern_term t = of_kind(kind::node);
                t.node = below(2) == 0 ? node_kind::function : node_kind::tuple;
                t.open = below(2) == 0;
                return made_.add(t, operands(depth, 3));
            }
            default:
                return call(depth);
        }
    }
    inlay::term_id several(kind k, int depth) {
        std::vector<inlay::term_id> children;
        for (std::size_t i = 1 + below(3); i-- > 0;) children.push_back(term(depth - 1));
        return made_.add(of_kind(k), children);
    }
    std::vector<inlay::term_id> operands(int depth, std::size_t most) {
        std::vector<inlay::term_id> children;
        for (std::size_t i = depth <= 0 ? 0 : below(most + 1); i-- > 0;) children.push_back(term(depth - 1));
        return children;
    }
    inlay::term_id call(int depth) {
        inlay::pattern_term t = of_kind(kind::node);
        t.open = below(2) == 0 || depth <= 0;
        const std::size_t first = below(random_names.size());
        t.names = std::span<const std::string_view>(random_names)
                      .subspan(first, first + 1 < random_names.size() && below(3) == 0 ? 2
                                      : below(8) == 0                                  ? 0
                                                                                       : 1);
        t.unordered = below(3) == 0;
        if (t.unordered && t.open && below(2) == 0) t.most = static_cast<std::uint32_t>(1 + below(below(6) == 0 ? 12 : 3));
        return made_.add(t, operands(depth, below(10) == 0 ? 7 : 3));
    }

    std::mt19937 random_;
    owned_pattern made_;
    std::vector<inlay::term_id> open_;
    std::size_t steps_ = 0;
};

[[nodiscard]] inline std::vector<owned_pattern> random_patterns(std::uint32_t seed, std::size_t count) {
    pattern_maker maker(seed);
    std::vector<owned_pattern> made;
    for (std::size_t i = 0; i < count; ++i) made.push_back(maker.make(static_cast<int>(1 + (seed + i) % 4)));
    return made;
}
[[nodiscard]] inline std::vector<inlay::pattern_view> views_of(const std::vector<owned_pattern>& patterns) {
    std::vector<inlay::pattern_view> views;
    for (const owned_pattern& p : patterns) views.push_back(p.view());
    return views;
}
[[nodiscard]] inline std::vector<const inlay::pattern_view*> pointers_to(const std::vector<inlay::pattern_view>& views) {
    std::vector<const inlay::pattern_view*> pointers;
    for (const inlay::pattern_view& v : views) pointers.push_back(&v);
    return pointers;
}

#endif
