// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_IR_RANDOM_RELAY_HPP
#define INLAY_TESTS_IR_RANDOM_RELAY_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/ir/ir_builder.hpp>
#include <inlay/ir/match_pattern.hpp>

namespace inlay_test {

/// Programs of all that Relay has, made of a seed. Values are used wherever the variables that they read are bound, also out of the block
/// that they were made in; variables have names that hide each other; types come and go.
class random_relay {
public:
    explicit random_relay(std::uint32_t seed) : random_(seed) {}

    [[nodiscard]] inlay::ir_module module(std::size_t size) {
        using inlay::node_type;
        const node_type a = node_type::variable("A"), b = node_type::variable("B");
        b_.declare(inlay::data_type{"Chain", {"A"}, {{"Link", {a, node_type::data("Chain", {a})}}, {"End", {}}}});
        b_.declare(inlay::data_type{"Pair", {"A", "B"}, {{"Both", {a, b}}}});
        b_.declare(inlay::data_type{"Storage", {}, {}, below(2) == 0});
        left_ = size;
        const std::size_t functions = 1 + below(3);
        for (std::size_t i = 0; i < functions; ++i) names_.push_back(i + 1 == functions ? "main" : i == 0 ? "f" : "odd name");
        for (const std::string& name : names_) {
            globals_.clear();
            b_.declare(function(name, name != "main" && below(3) == 0));
        }
        return b_.finish_in_blocks();
    }

private:
    using node_id = inlay::node_id;

    struct value {
        node_id node;
        std::size_t scope;  // number of the innermost scope whose variables it may read
    };

    std::size_t below(std::size_t count) { return random_() % count; }
    template <class T, std::size_t N>
    const T& any(const std::array<T, N>& list) {
        return list[below(N)];
    }

    // What can be used: values whose scope is open.

    void enter() {
        open_.push_back(++scopes_);
        is_open_.resize(scopes_ + 1, 0);
        is_open_[scopes_] = 1;
    }
    void leave() {
        is_open_[open_.back()] = 0;
        open_.pop_back();
    }
    /// A value that reads no variables of scopes inside the innermost that is open.
    node_id keep(node_id n) {
        values_.push_back({n, open_.empty() ? 0 : open_.back()});
        return n;
    }
    /// The same, and it reads no more than its operands do.
    node_id keep(node_id n, const std::vector<value>& operands) {
        std::size_t scope = 0;
        for (const value& o : operands) scope = std::max(scope, o.scope);  // scopes that are open at once have ascending numbers
        values_.push_back({n, scope});
        return n;
    }
    value pick() {
        for (int i = 0; i < 12 && !values_.empty(); ++i) {
            const std::size_t at =
                below(2) == 0 ? values_.size() - 1 - below(std::min<std::size_t>(values_.size(), 6)) : below(values_.size());
            if (values_[at].scope == 0 || is_open_[values_[at].scope] != 0) return values_[at];
        }
        return {b_.constant(scalar()), 0};
    }
    std::vector<value> pick_some(std::size_t count) {
        std::vector<value> some;
        for (std::size_t i = 0; i < count; ++i) some.push_back(pick());
        return some;
    }
    static std::vector<node_id> nodes(const std::vector<value>& values) {
        std::vector<node_id> all;
        for (const value& v : values) all.push_back(v.node);
        return all;
    }

    // Small things.

    inlay::tensor scalar() {
        using inlay::tensor;
        switch (below(9)) {
            case 0:
                return tensor::scalar(static_cast<float>(below(100)) / 8 - 3);
            case 1:
                return tensor::scalar(1e-300 * static_cast<double>(below(9)));
            case 2:
                return tensor::scalar(static_cast<std::int32_t>(below(9)) - 4);
            case 3:
                return tensor::scalar(std::numeric_limits<std::int64_t>::min());
            case 4:
                return tensor::scalar(below(2) == 0);
            case 5:
                return tensor::scalar(std::numeric_limits<float>::infinity());
            case 6:
                return tensor::scalar(-0.0f);
            case 7:
                return tensor::scalar(std::uint8_t{200});
            default:
                return tensor::of<float>({2, 1}, std::vector<float>{1, static_cast<float>(below(3))});
        }
    }
    inlay::node_type type(std::size_t depth = 0) {
        using namespace inlay;
        switch (below(depth > 2 ? 5 : 10)) {
            case 0:
                return {};
            case 1:
                return tensor_type(element_type::float32, {extent(3), extent(), extent("n")});
            case 2:
                return tensor_type(element_type::boolean, {});
            case 3:
                return tensor_type(element_type::int64);
            case 4:
                return below(2) == 0 && !variables_.empty() ? node_type::variable(variables_.back())
                                                            : node_type(tensor_type(element_type::bfloat16, {extent("of the batch")}));
            case 5:
                return node_type::tuple({});
            case 6:
                return node_type::tuple({type(depth + 1)});
            case 7:
                return node_type::reference(type(depth + 1));
            case 8: {
                node_type f = node_type::function({type(depth + 1), type(depth + 1)}, type(depth + 1));
                if (below(3) == 0) f.variables = {"X", "Y"};
                return f;
            }
            default:
                return below(2) == 0 ? node_type::data("Chain", {type(depth + 1)}) : node_type::data("Storage", {});
        }
    }
    inlay::placement place() {
        using namespace inlay;
        target_instance t;
        t.kind = "cuda";
        t.device = device_type::cuda;
        if (below(2) == 0) t.options.push_back({"arch", std::string("sm_80")});
        if (below(2) == 0) t.options.push_back({"max_num_threads", std::int64_t{512}});
        if (below(3) == 0) t.keys = {"cuda", "big one"};
        if (below(2) == 0) {
            target_instance host;
            host.kind = "llvm";
            t = with_host(t, host);
        }
        switch (below(6)) {
            case 0:
                return placement::on(device_type::cpu, static_cast<std::int32_t>(below(2)));
            case 1:
                return placement::in_scope(below(2) == 0 ? "near" : "gl\n\"obal");
            case 2:
                return placement::on(t, 1, "shared");
            case 3: {
                t.kind = "of nobody";
                t.options = {{"a", true}, {"b", 0.5}, {"c", std::vector<std::string>{"x", ""}}, {"d", std::vector<std::int64_t>{1, 2}}};
                return placement::on(t);
            }
            default:
                return {};
        }
    }
    inlay::attribute_map attributes() {
        inlay::attribute_map a;
        if (below(3) != 0) return a;
        if (below(2) == 0) a.set("axis", static_cast<std::int64_t>(below(3)) - 1);
        if (below(3) == 0) a.set("epsilon", 1e-05);
        if (below(4) == 0) a.set("far", -std::numeric_limits<double>::infinity());
        if (below(3) == 0) a.set("name", std::string("a \"quoted\"\\\n\x01 t\xC3\xA4xt"));
        if (below(3) == 0) a.set("pads", std::vector<std::int64_t>{1, 0, -1});
        if (below(3) == 0) a.set("pad_width", std::vector<std::int64_t>{1, 0, 2, 3});
        if (below(3) == 0) a.set("scales", std::vector<double>{1, 0.1});
        if (below(3) == 0) a.set("words", std::vector<std::string>{"", "b"});
        if (below(5) == 0) a.set("value", inlay::tensor::of<float>({2}, std::vector<float>{1, static_cast<float>(below(2))}));
        return a;
    }
    node_id variable() {
        static constexpr std::array<std::string_view, 7> names{"x", "y", "x_1", "", "v", "a.b", "0"};
        const node_id v = b_.input(any(names), type());
        if (below(5) == 0) b_.set_where(v, place());
        return v;
    }

    // Values.

    /// The result of a scope, which needs much of what is made there.
    node_id body() {
        const std::size_t before = values_.size();
        for (std::size_t i = below(open_.size() > 1 ? 5 : 30); i > 0 && left_ > 0; --i) one();
        if (below(3) == 0 && left_ > 0) return one();
        std::vector<value> some = pick_some(1 + below(2));
        for (std::size_t i = before; i < values_.size(); ++i)
            if (below(3) != 0 && (values_[i].scope == 0 || is_open_[values_[i].scope] != 0)) some.push_back(values_[i]);
        if (some.size() == 1) return some.front().node;
        return keep(b_.add(inlay::node_kind::tuple, nodes(some), 0, {}, {}), some);
    }
    node_id one() {
        using inlay::node_kind;
        if (left_ > 0) --left_;
        const std::size_t what = open_.size() > 8 ? below(12) : below(22);
        switch (what) {
            case 0:
                return keep(b_.constant(scalar()), {});
            case 1: {
                const auto fields = pick_some(below(4));
                return keep(b_.add(node_kind::tuple, nodes(fields), 0, {}, {}), fields);
            }
            case 2: {
                const value of = pick();
                return keep(b_.add(node_kind::projection, {of.node}, 0, {}, {}, {}, static_cast<std::uint32_t>(below(3))), {of});
            }
            case 3: {
                const bool has = below(2) == 0;
                const auto fields = pick_some(has ? 2 : 0);
                return keep(b_.construct(has ? below(2) == 0 ? "Link" : "Both" : "End", nodes(fields)), fields);
            }
            case 4: {
                const std::array kinds{node_kind::make_ref, node_kind::read_ref, node_kind::write_ref};
                const node_kind kind = any(kinds);
                const auto operands = pick_some(kind == node_kind::write_ref ? 2 : 1);
                return keep(b_.add(kind, nodes(operands), 0, {}, {}), operands);
            }
            case 5: {
                const auto operands = pick_some(1 + below(3));
                return keep(b_.add(node_kind::apply, nodes(operands), 0, {}, {}, attributes()), operands);
            }
            case 6:
                return keep(global());
            case 7: {
                const value of = pick();
                return keep(b_.on_device(of.node, place(), below(2) == 0, below(2) == 0), {of});
            }
            case 8: {
                const value of = pick();
                return keep(b_.device_copy(of.node, place(), place()), {of});
            }
            case 12:
            case 13:
                return branch();
            case 14:
            case 15:
                return match();
            case 16:
            case 17:
                return keep(function({}, false));
            case 18:
            case 19:
                return let();
            default: {
                static constexpr std::array<std::string_view, 4> ops{"add", "nn.conv2d", "onnx.Scan.v8", "call_lowered"};
                const auto operands = pick_some(below(4));
                const node_id made = b_.call(any(ops), nodes(operands), attributes());
                if (below(9) == 0) b_.set_where(made, place());
                return keep(made, operands);
            }
        }
    }
    node_id global() {
        const std::string& name = names_[below(names_.size())];
        for (const auto& [known, n] : globals_)
            if (known == name) return n;
        globals_.emplace_back(name, b_.global(name, {}));
        return globals_.back().second;
    }
    node_id branch() {
        const value condition = pick();
        const node_id first = body(), second = body();
        return keep(b_.add(inlay::node_kind::if_else, {condition.node, first, second}, 0, {}, {}));
    }
    node_id let() {
        enter();
        const node_id v = variable();
        const bool is_recursive = below(3) == 0;
        if (is_recursive) keep(v);
        const node_id bound = below(3) == 0 ? function({}, false) : body();
        if (!is_recursive) keep(v);
        const node_id rest = body();
        leave();
        return keep(b_.add(inlay::node_kind::let, {v, bound, rest}, 0, {}, {}));
    }
    inlay::match_pattern pattern() {
        using form = inlay::match_pattern::form;
        inlay::match_pattern p;
        std::size_t open = 1;
        for (; open > 0; --open) {
            const std::size_t what = p.parts.size() > 8 ? below(2) : below(6);
            if (what == 0) p.parts.push_back({form::wildcard, 0, {}});
            if (what == 1) p.parts.push_back({form::variable, 0, {}});
            if (what == 2) p.parts.push_back({form::constructor, 0, "End"});
            if (what == 3 || what == 4) p.parts.push_back({form::constructor, 2, what == 3 ? "Link" : "Both"});
            if (what == 5) p.parts.push_back({form::tuple, static_cast<std::uint32_t>(below(4)), {}});
            open += p.parts.back().fields;
        }
        return p;
    }
    node_id match() {
        std::vector<node_id> operands{pick().node};
        std::vector<std::int64_t> sizes;
        std::vector<std::string> patterns;
        for (std::size_t c = below(4); c > 0; --c) {
            const inlay::match_pattern p = pattern();
            enter();
            for (std::size_t i = 0; i < p.variables(); ++i) {
                operands.push_back(b_.input("of_clause" + std::to_string(i), type()));
                keep(operands.back());
            }
            operands.push_back(body());
            leave();
            sizes.push_back(static_cast<std::int64_t>(p.variables()));
            patterns.push_back(to_string(p));
        }
        inlay::attribute_map a{{"clause_sizes", std::move(sizes)}, {"patterns", std::move(patterns)}};
        if (below(2) == 0) a.set("complete", std::int64_t{0});
        return keep(b_.add(inlay::node_kind::match, operands, 0, {}, {}, a));
    }
    node_id function(const std::string& name, bool is_external) {
        enter();
        const bool is_generic = below(4) == 0;
        if (is_generic) variables_.push_back(below(2) == 0 ? "T" : "U");
        std::vector<node_id> operands;
        std::vector<inlay::node_type> types;
        for (std::size_t i = below(4); i > 0; --i) {
            operands.push_back(b_.input(i == 1 ? "x" : "y" + std::to_string(i), type()));
            if (below(4) == 0) b_.set_where(operands.back(), place());
            types.push_back(b_.so_far().type(operands.back()));
            keep(operands.back());
        }
        inlay::node_type whole = inlay::node_type::function(std::move(types), type());
        inlay::attribute_map a = attributes();
        if (is_external) {
            a.set("extern", std::int64_t{1});
            operands.push_back(b_.input({}, whole.fields.back()));
        } else {
            operands.push_back(body());
        }
        if (is_generic) {
            whole.variables = {variables_.back()};
            variables_.pop_back();
        }
        leave();
        node_id made = inlay::no_node;
        if (name.empty()) {
            made = b_.add(inlay::node_kind::function, operands, 0, {}, whole, a);
        } else {
            made = b_.function(std::span<const node_id>(operands).first(operands.size() - 1), operands.back(), name, a);
            b_.set_type(made, whole);
        }
        if (below(3) == 0) b_.set_where(made, place());
        return made;
    }

    std::mt19937 random_;
    inlay::ir_builder b_;
    std::size_t left_ = 0, scopes_ = 0;
    std::vector<std::size_t> open_;
    std::vector<char> is_open_;
    std::vector<value> values_;
    std::vector<std::string> names_, variables_;
    std::vector<std::pair<std::string, node_id>> globals_;
};

}  // namespace inlay_test

#endif
