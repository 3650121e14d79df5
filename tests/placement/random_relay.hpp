// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_PLACEMENT_RANDOM_RELAY_HPP
#define INLAY_TESTS_PLACEMENT_RANDOM_RELAY_HPP

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <inlay/ir/ir_builder.hpp>
#include <inlay/target/placement.hpp>

/// Random programs of all of Relay, well typed, that end: numbers, functions that take and give functions, tuples, references, lists,
/// branches, matches, recursion over lists, shared values, and annotations of every form.
namespace random_relay {

using namespace inlay;

struct how {
    std::vector<placement> places;  // that annotations name
    int annotated = 15;             // of a hundred expressions
    int fixed = 10;                 // of a hundred annotations: those that permit no copy
    int parameters = 10;            // of a hundred parameters are placed
    int size = 40;                  // expressions, about
};

class generator {
public:
    generator(std::uint64_t seed, how h) : random_(seed), how_(std::move(h)) {}

    [[nodiscard]] ir_module program() {
        data_type list{"List", {"A"}, {{"Cons", {node_type::variable("A"), list_of(node_type::variable("A"))}}, {"Nil", {}}}, false};
        b_.declare(std::move(list));
        const std::size_t globals = pick(3);
        for (std::size_t k = 0; k < globals; ++k) global(k);
        scopes_.emplace_back();
        std::vector<node_id> parameters;
        for (std::size_t i = 0; i < 2 + pick(3); ++i) parameters.push_back(parameter("x" + std::to_string(i), number()));
        parameters.push_back(parameter("c", flag()));
        left_ = how_.size;
        const node_id result = numbers(4);
        scopes_.pop_back();
        b_.declare(function(parameters, result, "main"));
        return b_.finish_in_blocks();
    }

private:
    struct value {
        node_id node;
        node_type type;
    };

    static node_type number() { return tensor_type(element_type::float32, shape{}); }
    static node_type flag() { return tensor_type(element_type::boolean, shape{}); }
    static node_type list_of(node_type t) { return node_type::data("List", {std::move(t)}); }
    static node_type unary() { return node_type::function({number()}, number()); }
    static node_type binary() { return node_type::function({number(), number()}, number()); }
    static node_type pair() { return node_type::tuple({number(), number()}); }

    std::size_t pick(std::size_t below) { return static_cast<std::size_t>(random_() % below); }
    bool chance(int of_a_hundred) { return static_cast<int>(pick(100)) < of_a_hundred; }

    node_id function(const std::vector<node_id>& parameters, node_id result, std::string_view name = {}) {
        const node_id f = b_.function(parameters, result, name);
        return f;
    }
    node_id variable(const std::string& name, const node_type& type) {
        const node_id v = b_.input(name, type);
        scopes_.back().push_back({v, type});
        return v;
    }
    node_id parameter(const std::string& name, const node_type& type) {
        const node_id v = variable(name, type);
        if (!how_.places.empty() && chance(how_.parameters)) b_.set_where(v, how_.places[pick(how_.places.size())]);
        return v;
    }
    std::string fresh() { return "v" + std::to_string(next_++); }

    void global(std::size_t k) {
        scopes_.emplace_back();
        left_ = how_.size / 4;
        std::vector<node_id> parameters;
        parameters.push_back(parameter(fresh(), k % 2 == 0 ? number() : unary()));
        parameters.push_back(parameter(fresh(), number()));
        const node_id result = numbers(2);
        scopes_.pop_back();
        const std::string name = "g" + std::to_string(k);
        b_.declare(function(parameters, result, name));
        globals_.push_back({k % 2 == 0 ? number() : unary(), name});
    }

    /// A value of that type that stands in scope, or `no_node`.
    node_id in_scope(const node_type& type) {
        std::vector<node_id> found;
        for (const auto& scope : scopes_)
            for (const value& v : scope)
                if (v.type == type) found.push_back(v.node);
        return found.empty() ? no_node : found[pick(found.size())];
    }

    node_id annotated(node_id n) {
        if (how_.places.empty() || !chance(how_.annotated)) return n;
        const placement& there = how_.places[pick(how_.places.size())];
        if (chance(10)) return b_.device_copy(n, there, how_.places[pick(how_.places.size())]);
        if (chance(how_.fixed)) return b_.on_device(n, there, true, chance(70));
        return b_.on_device(n, there, false, chance(70));
    }

    node_id numbers(int depth) {
        const node_id n = annotated(plain_number(depth));
        scopes_.back().push_back({n, number()});
        return n;
    }
    node_id constant() { return b_.constant(tensor::scalar(static_cast<float>(pick(5)))); }

    node_id plain_number(int depth) {
        if (--left_ < 0 || depth <= 0) {
            const node_id known = in_scope(number());
            return known == no_node || chance(15) ? constant() : known;
        }
        switch (pick(14)) {
            case 0:
            case 1:
                return b_.call("negative", {numbers(depth - 1)}, {}, number());
            case 2:
            case 3:
            case 4: {
                const node_id x = numbers(depth - 1), y = numbers(depth - 1);
                static constexpr const char* ops[] = {"add", "subtract", "multiply"};
                return b_.call(ops[pick(3)], {x, y}, {}, number());
            }
            case 5: {
                const node_id condition = in_scope(flag());
                if (condition == no_node) return constant();
                const node_id one = inside([&] { return numbers(depth - 1); }), other = inside([&] { return numbers(depth - 1); });
                return b_.if_else(condition, one, other);
            }
            case 6: {
                const bool whole = chance(40);
                const node_id t = whole ? in_scope(pair()) : no_node;
                const node_id tuple = t != no_node ? t : make_pair(depth);
                return b_.projection(tuple, pick(2));
            }
            case 7:
                return bind(depth);
            case 8: {
                const node_id f = functions(depth - 1), x = numbers(depth - 1);
                const node_id operands[] = {f, x};
                return b_.apply(operands, number());
            }
            case 9: {
                if (globals_.empty()) return constant();
                const auto& [first, name] = globals_[pick(globals_.size())];
                const node_id x = first == number() ? numbers(depth - 1) : functions(depth - 1), y = numbers(depth - 1);
                const node_id operands[] = {b_.global(name, node_type::function({first, number()}, number())), x, y};
                return b_.apply(operands, number());
            }
            case 10:
                return cell(depth);
            case 11:
                return sum_of_list(depth);
            case 12: {
                // A function that takes a function.
                const node_id x = numbers(depth - 1);
                scopes_.emplace_back();
                const node_id f = parameter(fresh(), unary()), y = parameter(fresh(), number());
                const node_id inner[] = {f, numbers(depth - 2)};
                const node_id result = b_.call("add", {b_.apply(inner, number()), y}, {}, number());
                scopes_.pop_back();
                const node_id taker = function({f, y}, result);
                const node_id operands[] = {taker, functions(depth - 1), x};
                return b_.apply(operands, number());
            }
            default:
                return constant();
        }
    }

    node_id make_pair(int depth) {
        const node_id fields[] = {numbers(depth - 1), numbers(depth - 1)};
        const node_id t = annotated(b_.tuple(fields));
        scopes_.back().push_back({t, pair()});
        return t;
    }

    template <class Make>
    node_id inside(Make&& make) {
        scopes_.emplace_back();
        const node_id n = make();
        scopes_.pop_back();
        return n;
    }

    node_id functions(int depth) {
        const node_id known = in_scope(unary());
        if (known != no_node && chance(50)) return known;
        scopes_.emplace_back();
        const node_id x = parameter(fresh(), number());
        // Sometimes a function that gives a function, applied to a number.
        if (depth > 2 && chance(20)) {
            const node_id result = functions(depth - 2);
            scopes_.pop_back();
            const node_id maker = function({x}, result);
            const node_id operands[] = {maker, numbers(depth - 2)};
            return b_.apply(operands, unary());
        }
        const node_id result = numbers(depth - 1);
        scopes_.pop_back();
        return function({x}, result);
    }

    node_id bind(int depth) {
        const std::size_t what = pick(3);
        const node_type type = what == 0 ? number() : what == 1 ? unary() : pair();
        const node_id v = b_.input(fresh(), type);
        const node_id bound = what == 0 ? numbers(depth - 1) : what == 1 ? functions(depth - 1) : make_pair(depth - 1);
        const node_id body = inside([&] {
            scopes_.back().push_back({v, type});
            return numbers(depth - 1);
        });
        return b_.let(v, bound, body);
    }

    /// A reference that is made, written and read, in this order by lets.
    node_id cell(int depth) {
        const node_type type = node_type::reference(number());
        const node_id first = numbers(depth - 1), second = numbers(depth - 1);
        const node_id r = b_.input(fresh(), type), u = b_.input(fresh(), node_type::tuple({})), v = b_.input(fresh(), number());
        const node_id body = inside([&] {
            scopes_.back().push_back({v, number()});
            return numbers(depth - 1);
        });
        const node_id make = b_.add(node_kind::make_ref, {first}, 0, {}, type);
        const node_id write = b_.add(node_kind::write_ref, {r, second}, 0, {}, node_type::tuple({}));
        const node_id read = b_.add(node_kind::read_ref, {r}, 0, {}, number());
        return b_.let(r, make, b_.let(u, write, b_.let(v, read, body)));
    }

    /// let %s = fn (%l) { match (%l) { Cons(%h, %t) => f(%h, %s(%t)), Nil => z } }; %s(Cons(.., Cons(.., Nil)))
    node_id sum_of_list(int depth) {
        const node_type type = list_of(number()), fold_type = node_type::function({type}, number());
        node_id list = b_.construct("Nil", {}, type);
        for (std::size_t k = 0; k < pick(4); ++k) {
            const node_id fields[] = {numbers(depth - 2), list};
            list = b_.construct("Cons", fields, type);
        }
        list = annotated(list);
        const node_id s = b_.input(fresh(), fold_type), l = b_.input(fresh(), type), h = b_.input(fresh(), number()),
                      t = b_.input(fresh(), type);
        const node_id recursion[] = {s, t};
        const node_id rest = b_.apply(recursion, number());
        const node_id more = inside([&] {
            scopes_.back().push_back({h, number()});
            return b_.call(chance(50) ? "add" : "subtract", {numbers(depth - 2), rest}, {}, number());
        });
        const node_id none = inside([&] { return numbers(depth - 2); });
        const node_id operands[] = {l, h, t, more, none};
        const node_id match =
            b_.add(node_kind::match, operands, 0, {}, number(),
                   {{"clause_sizes", std::vector<std::int64_t>{2, 0}}, {"patterns", std::vector<std::string>{"Cons(%, %)", "Nil"}}});
        const node_id fold = function({l}, match);
        const node_id call[] = {s, list};
        return b_.let(s, fold, b_.apply(call, number()));
    }

    std::mt19937_64 random_;
    how how_;
    ir_builder b_;
    std::vector<std::vector<value>> scopes_;
    std::vector<std::pair<node_type, std::string>> globals_;  // the type of the first parameter, and the name
    int left_ = 0;
    int next_ = 0;
};

/// A random program of this seed.
[[nodiscard]] inline ir_module program(std::uint64_t seed, how h = {}) { return generator(seed, std::move(h)).program(); }

}  // namespace random_relay

#endif
