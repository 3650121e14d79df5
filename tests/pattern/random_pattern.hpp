// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_PATTERN_RANDOM_PATTERN_HPP
#define INLAY_TESTS_PATTERN_RANDOM_PATTERN_HPP

#include <array>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/ir/ir_builder.hpp>
#include <inlay/pattern/term/pattern_value.hpp>

namespace pattern_test {

using namespace inlay;

struct dice {
    std::mt19937 random;

    explicit dice(std::uint32_t seed) : random(seed) {}
    std::uint32_t below(std::size_t n) { return static_cast<std::uint32_t>(random() % n); }
    bool one_in(std::size_t n) { return below(n) == 0; }
    template <class T>
    const T& of(const std::vector<T>& list) {
        return list[below(list.size())];
    }
};

inline const std::vector<std::string_view> operators{"f", "g", "h", "add", "x.y"};

/// A random program with nodes of every kind: about so many nodes in main's block, fewer in its branches and functions.
class random_program {
public:
    random_program(dice& d, std::size_t size) : d_(d), narrow_(d.one_in(3)) {
        b_.open_block();
        std::vector<node_id> parameters;
        for (int i = 0; i < 2; ++i) parameters.push_back(see(b_.input(i == 0 ? "x" : "y", type())));
        fill(size, 2);
        const node_id main = b_.function(parameters, visible_.back(), "main");
        b_.declare(main);
    }
    [[nodiscard]] ir_module finish() { return b_.finish(); }

private:
    node_id see(node_id n) {
        visible_.push_back(n);
        return n;
    }
    node_id pick() {
        if (narrow_ && !d_.one_in(8)) return visible_.back();
        return d_.one_in(3) ? d_.of(visible_) : visible_[visible_.size() - 1 - d_.below(visible_.size() < 3 ? visible_.size() : 3)];
    }
    std::vector<node_id> pick(std::size_t n) {
        std::vector<node_id> list(n);
        for (node_id& o : list) o = pick();
        return list;
    }
    node_type type() {
        switch (d_.below(4)) {
            case 0:
                return {};
            case 1:
                return tensor_type(element_type::float32, {extent(2), extent(3)});
            case 2:
                return tensor_type(element_type::float32, {extent(std::string("n")), extent(3)});
            default:
                return tensor_type(element_type::int64);
        }
    }
    attribute_map attributes() {
        attribute_map a;
        if (d_.one_in(3)) a.set("axis", std::int64_t{d_.below(2)});
        if (d_.one_in(4)) a.set("alpha", 0.5 * d_.below(3));
        if (d_.one_in(4)) a.set("mode", std::string(d_.one_in(2) ? "SAME" : "a\"b"));
        if (d_.one_in(4)) a.set("pads", std::vector<std::int64_t>(d_.below(3), 1));
        return a;
    }
    tensor value() {
        switch (d_.below(4)) {
            case 0:
                return tensor::scalar(static_cast<float>(d_.below(3)) * 0.1f);
            case 1:
                return tensor::scalar(std::int64_t{d_.below(3)});
            case 2:
                return tensor::of<float>({2}, std::vector<float>{1, 2});
            default:
                return tensor::of<float>({1, 1}, std::vector<float>{1});
        }
    }
    /// A block of its own: what `body` gives, after which nothing made in it is seen.
    template <class Body>
    node_id block(Body&& body) {
        const std::size_t before = visible_.size();
        b_.open_block();
        const node_id result = body();
        visible_.resize(before);
        return result;
    }
    node_id branch(std::size_t deep) {
        const node_id result = block([&] {
            fill(1 + d_.below(3), deep);
            return visible_.back();
        });
        b_.close_block();
        return result;
    }

    void fill(std::size_t count, std::size_t deep) {
        for (std::size_t i = 0; i < count; ++i) one(deep);
    }
    void one(std::size_t deep) {
        const std::uint32_t which = d_.below(20);
        if (which == 0) {
            see(b_.constant(value(), d_.one_in(2) ? "c" : ""));
        } else if (which == 1) {
            see(b_.tuple(pick(d_.below(4))));
        } else if (which == 2) {
            see(b_.projection(pick(), d_.below(2)));
        } else if (which == 3 && deep > 0) {
            const node_id a = branch(deep - 1), b = branch(deep - 1);
            see(b_.if_else(pick(), a, b));
        } else if (which == 4 && deep > 0) {
            const node_id f = block([&] {
                std::vector<node_id> parameters;
                for (std::size_t i = d_.below(3); i-- > 0;) parameters.push_back(see(b_.input("p", type())));
                fill(1 + d_.below(3), deep - 1);
                return b_.function(parameters, visible_.back(), d_.one_in(2) ? "inner" : "");
            });
            see(f);
            std::vector<node_id> call = pick(d_.below(3));
            call.insert(call.begin(), f);
            see(b_.apply(call));
        } else if (which == 5) {
            const node_id v = see(b_.input("v", {})), value = pick();
            see(b_.let(v, value, pick()));
        } else if (which == 6) {
            const node_id cell = see(b_.add(node_kind::make_ref, pick(1), 0, {}, {}));
            see(d_.one_in(2) ? b_.add(node_kind::read_ref, {cell}, 0, {}, {}) : b_.add(node_kind::write_ref, {cell, pick()}, 0, {}, {}));
        } else if (which == 7) {
            see(d_.one_in(2) ? b_.global("main", {}) : b_.add(node_kind::construct, pick(d_.below(3)), 0, {}, {}));
        } else if (which == 8) {
            const node_id on = pick();
            see(b_.add(node_kind::match, std::vector<node_id>{on, pick()}, 0, {}, {}));
        } else {
            see(b_.call(d_.of(operators), pick(1 + d_.below(3)), attributes(), type()));
        }
    }

    dice& d_;
    bool narrow_;  // mostly a chain, for repetitions and dominators
    ir_builder b_;
    std::vector<node_id> visible_;
};

/// Reads through f's to what they stand on.
inline std::optional<reading> behind_f(const graph_ref& g, node_id n) {
    reading r{g.operand(n, 0), {n}};
    if (g.kind(n) != node_kind::call || g.op(n) != "f") return std::nullopt;
    return r;
}

/// Random patterns of every kind of term, mostly read off a graph, so that many match.
class random_pattern {
public:
    random_pattern(dice& d, const ir_module& g, bool readers) : d_(d), g_(g), readers_(readers) {}

    /// A pattern, most of which is what stands at that node.
    outcome<pattern_value> at(node_id n) {
        definitions_ = 0;
        left_ = 25;
        const term_id root = term(n, {}, 4);
        return b_.finish(root);
    }

private:
    /// What may stand at a place: a hole, because a step and then a node stand around it; references to these.
    struct place {
        bool in_step = false, hole = false;
        std::vector<std::pair<term_id, std::string>> named{}, usable{};

        [[nodiscard]] place under_node() const { return {in_step, in_step, named, named}; }
        /// Where neither may stand: under a negation.
        [[nodiscard]] static place closed() { return {}; }
        [[nodiscard]] place in_new_step() const { return {true, false, named, usable}; }
    };

    term_id add(term_kind k, std::initializer_list<term_id> children) {
        pattern_term t;
        t.kind = k;
        return b_.add(t, children);
    }
    node_id near(node_id n) { return d_.one_in(2) ? n : d_.below(g_.size()); }

    term_id term(node_id n, const place& at, std::size_t deep) {
        if (at.hole && d_.one_in(2)) return add(term_kind::hole, {});
        if (!at.usable.empty() && d_.one_in(3)) {
            const auto& [meaning, name] = d_.of(at.usable);
            pattern_term t;
            t.kind = term_kind::reference;
            t.name = name;
            return b_.add(t, {meaning});
        }
        if (deep == 0 || left_ == 0) return leaf(n);
        --left_;
        pattern_term t;
        switch (d_.below(18)) {
            case 0:
                return leaf(n);
            case 1: {
                const term_id a = term(near(n), at, deep - 1), b = term(near(n), at, deep - 1);
                return d_.one_in(4) ? add(term_kind::either, {a, b, leaf(n)}) : add(term_kind::either, {a, b});
            }
            case 2: {
                const term_id a = term(n, at, deep - 1), b = term(n, at, deep - 1);
                return add(term_kind::both, {a, b});
            }
            case 3: {
                const term_id c = term(d_.below(g_.size()), place::closed(), 1);
                return add(term_kind::both, {term(n, at, deep - 1), add(term_kind::no, {c})});
            }
            case 4:
            case 5:
                t.kind = term_kind::capture;
                t.name = d_.of(std::vector<std::string_view>{"a", "b", "c", "d e"});
                return b_.add(t, {term(n, at, deep - 1)});
            case 6:
                return attributes(n, term(n, at, deep - 1));
            case 7:
                return typed(n, term(n, at, deep - 1));
            case 8: {
                t.kind = term_kind::repeat;
                t.least = d_.below(3);
                t.most = d_.one_in(2) ? pattern_term::unbounded : t.least + d_.below(3);
                const term_id step = term(n, at.in_new_step(), 2);
                return b_.add(t, {step, d_.one_in(3) ? term(n, at, deep - 1) : leaf(near(n))});
            }
            case 9: {
                const std::string name = "p" + std::to_string(definitions_++);
                const term_id self = b_.declare(name);
                place inside;
                inside.named = at.named;
                inside.usable = at.usable;
                inside.named.emplace_back(self, name);
                b_.define(self, term(n, inside, deep - 1));
                return self;
            }
            case 10: {
                node_id up = n;
                for (std::size_t i = 1 + d_.below(3); i-- > 0 && g_.arity(up) != 0;) up = g_.operand(up, d_.below(g_.arity(up)));
                const term_id child = term(n, at, 1), parent = d_.one_in(2) ? any() : term(up, at.under_node(), 1);
                const term_id path = d_.one_in(2) ? any() : add(term_kind::either, {call(d_.of(operators)), leaf(n)});
                return add(term_kind::dominates, {parent, path, child});
            }
            case 11:
                if (readers_ && g_.kind(n) == node_kind::call) {
                    static constexpr std::array<std::string_view, 2> begins{"f", "g"};
                    t.kind = term_kind::custom_matcher;
                    t.name = "behind_f";
                    t.read = &behind_f;
                    if (d_.one_in(2)) t.names = begins;
                    return b_.add(t, {term(g_.operand(n, 0), at.under_node(), deep - 1)});
                }
                [[fallthrough]];
            default:
                return node(n, at, deep);
        }
    }

    term_id any() { return b_.add({}); }
    term_id call(std::string_view op) {
        pattern_term t;
        t.kind = term_kind::node;
        t.open = true;
        t.names = {&op, 1};
        return b_.add(t);
    }

    term_id leaf(node_id n) {
        std::string_view names[2];
        pattern_term t;
        if (d_.one_in(3)) return any();
        t.kind = term_kind::node;
        t.node = g_.kind(n);
        if (g_.kind(n) == node_kind::constant) {
            const tensor& c = *g_.constant(n);
            if (d_.one_in(3)) {
                t.kind = term_kind::value;
                t.content = c.content();
            } else if (c.count() == 1 && d_.one_in(2)) {
                t.kind = term_kind::literal;
                t.number = c.element() == element_type::float32 ? d_.one_in(2) ? 0.1 : c.as<float>()[0]
                                                                : static_cast<double>(c.as<std::int64_t>()[0]);
            }
            return b_.add(t);
        }
        if (g_.kind(n) == node_kind::input || g_.kind(n) == node_kind::global) {
            names[0] = g_.kind(n) == node_kind::input ? g_.name(n) : g_.symbol(n);
            if (d_.one_in(2)) t.names = {names, 1};
            return b_.add(t);
        }
        t.open = true;
        if (g_.kind(n) == node_kind::call) {
            names[0] = d_.one_in(4) ? d_.of(operators) : g_.op(n);
            names[1] = d_.of(operators);
            if (!d_.one_in(4)) t.names = {names, std::size_t{1} + d_.below(2)};
        }
        if (g_.kind(n) == node_kind::projection) return any();
        return b_.add(t);
    }

    term_id node(node_id n, const place& at, std::size_t deep) {
        const node_kind k = g_.kind(n);
        const std::size_t arity = g_.arity(n);
        if (arity == 0) return leaf(n);
        pattern_term t;
        t.kind = term_kind::node;
        t.node = k;
        std::string_view names[] = {k == node_kind::call ? g_.op(n) : g_.symbol(n), d_.of(operators)};
        if (k == node_kind::call ? !d_.one_in(5) : !names[0].empty() && d_.one_in(2))
            t.names = {names, std::size_t{1} + (d_.one_in(5) ? 1u : 0u)};
        std::vector<node_id> operands(g_.operands(n).begin(), g_.operands(n).end());
        if (k == node_kind::projection) {
            if (!d_.one_in(3)) t.place = static_cast<std::uint32_t>(g_.field(n));
        } else if (k == node_kind::function && d_.one_in(2)) {
            t.open = true;
            operands.erase(operands.begin(), operands.end() - 1);
        } else if (k != node_kind::function) {
            if (d_.one_in(3)) {
                t.unordered = true;
                for (std::size_t i = operands.size(); i-- > 1;) std::swap(operands[i], operands[d_.below(i + 1)]);
                if (d_.one_in(4)) t.most = 1 + d_.below(3);
            }
            if (d_.one_in(3)) {
                t.open = true;
                operands.resize(d_.below(operands.size() + 1));
            }
        }
        const place under = at.under_node();
        std::vector<term_id> children;
        for (const node_id o : operands) children.push_back(term(o, under, deep - 1));
        const term_id made = b_.add(t, children);
        // What is optional: the call, or its first operand alone.
        if (k != node_kind::call || t.names.empty() || children.empty() || at.in_step || !at.named.empty() || !d_.one_in(6)) return made;
        return add(term_kind::either, {made, children[0]});
    }

    term_id attributes(node_id n, term_id of) {
        pattern_term t;
        t.kind = term_kind::attributes;
        static constexpr std::array<std::int64_t, 2> ones{1, 1};
        static constexpr std::array<std::int64_t, 2> numbers{0, 1};
        static constexpr std::array<double, 3> halves{0, 0.5, 1};
        static constexpr std::array<std::string_view, 2> texts{"SAME", "a\"b"};
        using form = attribute_guard::form;
        std::vector<attribute_guard> guards(d_.below(3));
        for (attribute_guard& g : guards) {
            g.name = d_.of(std::vector<std::string_view>{"axis", "alpha", "mode", "pads", "is there"});
            const bool there = g_.attributes(n).find(g.name) != nullptr;
            g.kind = there ? form::present : form::absent;
            if (!there || d_.one_in(3)) continue;
            if (g.name == "axis") g.kind = form::integer, g.integers = {&numbers[d_.below(2)], 1};
            if (g.name == "alpha") g.kind = form::number, g.numbers = {&halves[d_.below(3)], 1};
            if (g.name == "mode") g.kind = form::text, g.texts = {&texts[d_.below(2)], 1};
            if (g.name == "pads") g.kind = form::integers, g.integers = {ones.data(), d_.below(3)};
        }
        t.guards = guards;
        return b_.add(t, {of});
    }

    term_id typed(node_id n, term_id of) {
        const extent_guard two[] = {{2, {}}, {3, {}}}, symbol[] = {{-1, "n"}, {-1, {}}};
        const type_guard fields[] = {{}, {type_guard::form::tensor, element_type::int64, false, false, {}, {}}};
        type_guard guard;
        if (g_.type(n).is_tensor()) {
            guard.kind = type_guard::form::tensor;
            if (d_.one_in(2)) guard.element = g_.type(n).of_tensor.element;
            if (d_.one_in(2)) {
                guard.shaped = true;
                guard.open = d_.one_in(3);
                guard.extents = d_.one_in(2) ? std::span(two) : std::span(symbol);
                if (guard.open) guard.extents = guard.extents.first(d_.below(3));
            }
        } else if (g_.type(n).is_tuple()) {
            guard.kind = type_guard::form::tuple;
            guard.open = d_.one_in(2);
            guard.fields = std::span(fields).first(d_.below(3));
        }
        pattern_term t;
        t.kind = term_kind::type;
        t.type = &guard;
        return b_.add(t, {of});
    }

    dice& d_;
    const ir_module& g_;
    bool readers_;
    pattern_builder b_;
    std::size_t definitions_ = 0, left_ = 0;
};

}  // namespace pattern_test

#endif
