// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PASSES_FUNCTIONS_INLINE_CALLS_HPP
#define INLAY_PASSES_FUNCTIONS_INLINE_CALLS_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/ir/ir_builder.hpp>
#include <inlay/ops/interpret/function_scopes.hpp>
#include <inlay/ops/node_label.hpp>

namespace inlay {

/// Whether calls of a function stay calls: it is a part of a back end's, what a pattern matched, or one kernel.
[[nodiscard]] inline bool stays_a_function(const ir_module& m, node_id f) {
    const attribute_map& a = m.attributes(f);
    return a.find("Compiler") != nullptr || a.find("Composite") != nullptr || a.integer("Primitive", 0) != 0;
}

namespace detail {

/// Runs main on nodes in place of values: functions are known where they are called, so that their bodies can stand there.
class call_inlining {
public:
    call_inlining(const ir_module& m, const function_scopes& scopes) : m_(m), scopes_(scopes), kept_(m.size(), no_node) {
        b_.copy_from(m);
        for (const node_id f : m.functions()) named_.emplace(m.symbol(f), f);
        keep_functions();
    }

    [[nodiscard]] outcome<ir_module> run() {
        const node_id main = m_.main();
        calls_.push_back({main, 0, {}});
        std::vector<node_id> parameters;
        for (const node_id p : m_.parameters(main)) {
            parameters.push_back(b_.copy(m_, p, {}));
            calls_[0].values[p] = {parameters.back()};
        }
        if (auto wrong = evaluate(m_.result(main), 0)) return std::move(*wrong);
        const value& result = calls_[0].values.at(m_.result(main));
        if (result.made == no_node) return at_source(m_, main, error{"gives a function, and what is partitioned gives tensors"});
        parameters.push_back(result.made);
        const node_id made = b_.copy(m_, main, parameters);
        for (const node_id f : m_.functions())
            if (kept_[f] != no_node && f != main) b_.declare(kept_[f]);
        b_.declare(made);
        b_.name_results(m_.result_names());
        return b_.finish_in_blocks();
    }

private:
    /// What a node is: a node of the new module, or a function with the call that it was made in.
    struct value {
        node_id made = no_node;
        node_id function = no_node;
        std::uint32_t call = 0;
    };
    /// A call of a function that is inlined: the values of the nodes in its body.
    struct call {
        node_id function = no_node;
        std::uint32_t around = 0;  // of the function that it was made in
        std::unordered_map<node_id, value> values;
    };
    struct visit {
        node_id node;
        std::uint32_t call;
        std::uint32_t next = 0;
        std::uint32_t callee = 0;  // of an application whose body is evaluated
    };

    /// Functions that stay, with what stands in them.
    void keep_functions() {
        std::vector<char> inside(m_.size(), 0);
        for (node_id n = static_cast<node_id>(m_.size()); n-- > 0;) {
            const bool stays = m_.kind(n) == node_kind::function && n != m_.main() && stays_a_function(m_, n);
            if (!stays && inside[n] == 0) continue;
            inside[n] = 1;
            for (const node_id o : m_.operands(n)) inside[o] = 1;
        }
        std::vector<node_id> operands;
        for (node_id n = 0; n < m_.size(); ++n) {
            if (inside[n] == 0) continue;
            operands.clear();
            for (const node_id o : m_.operands(n)) operands.push_back(kept_[o]);
            kept_[n] = b_.copy(m_, n, operands);
        }
    }

    /// The call in which a node is evaluated that is read in another one.
    [[nodiscard]] std::uint32_t call_of(node_id n, std::uint32_t c) const {
        const node_id owner = scopes_.owner(n);
        while (c != 0 && calls_[c].function != owner) c = calls_[c].around;
        return c;
    }
    [[nodiscard]] const value* known(node_id n, std::uint32_t c) const {
        const auto& values = calls_[call_of(n, c)].values;
        const auto at = values.find(n);
        return at == values.end() ? nullptr : &at->second;
    }
    void set(node_id n, std::uint32_t c, const value& v) { calls_[call_of(n, c)].values[n] = v; }

    [[nodiscard]] error refused(node_id n, const std::string& why) const { return at_source(m_, n, error{why}); }

    std::optional<error> evaluate(node_id root, std::uint32_t in) {
        std::vector<visit> open{{root, in}};
        while (!open.empty()) {
            visit& v = open.back();
            const node_id n = v.node;
            if (known(n, v.call) != nullptr) {
                open.pop_back();
                continue;
            }
            // The body of a function that is called here is evaluated.
            if (v.callee != 0) {
                const value result = *known(m_.result(calls_[v.callee].function), v.callee);
                active_.erase(calls_[v.callee].function);
                set(n, v.call, result);
                open.pop_back();
                continue;
            }
            const std::uint32_t own = v.call;
            switch (m_.kind(n)) {
                case node_kind::constant:
                    set(n, own, {b_.copy(m_, n, {})});
                    continue;
                case node_kind::global: {
                    const auto f = named_.find(m_.symbol(n));
                    if (f == named_.end())
                        return refused(n, "calls " + quoted_text(m_.symbol(n)) + ", and the module has no function of that name");
                    if (kept_[f->second] != no_node)
                        set(n, own, {b_.copy(m_, n, {}), f->second, 0});
                    else
                        set(n, own, {no_node, f->second, 0});
                    continue;
                }
                case node_kind::function:
                    if (kept_[n] != no_node)
                        set(n, own, {kept_[n], n, own});
                    else
                        set(n, own, {no_node, n, own});
                    continue;
                case node_kind::input:
                    return refused(n, "reads the variable " + quoted_text(m_.name(n), 80) + " where it is not bound");
                case node_kind::let:
                    if (v.next == 0) {
                        v.next = 1;
                        // A function that calls itself by this name finds itself.
                        if (m_.kind(m_.operand(n, 1)) == node_kind::function) set(m_.operand(n, 0), own, {no_node, m_.operand(n, 1), own});
                        open.push_back({m_.operand(n, 1), own});
                    } else if (v.next == 1) {
                        v.next = 2;
                        set(m_.operand(n, 0), own, value(*known(m_.operand(n, 1), own)));
                        open.push_back({m_.operand(n, 2), own});
                    } else {
                        set(n, own, value(*known(m_.operand(n, 2), own)));
                    }
                    continue;
                case node_kind::if_else:
                case node_kind::match:
                    return refused(n, "is a choice, whose sides cannot both stand in one flow of data");
                case node_kind::make_ref:
                case node_kind::read_ref:
                case node_kind::write_ref:
                    return refused(n, "is about a reference, whose reads and writes have an order that a flow of data has not");
                case node_kind::construct:
                    return refused(n, "makes a value of a data type, which no kernel takes");
                default:
                    break;
            }
            if (v.next < m_.arity(n)) {
                const node_id o = m_.operand(n, v.next++);
                if (known(o, own) == nullptr) open.push_back({o, own});
                continue;
            }
            if (auto wrong = finish(open)) return wrong;
        }
        return std::nullopt;
    }

    /// All that the node on top reads is there.
    std::optional<error> finish(std::vector<visit>& open) {
        const node_id n = open.back().node;
        const std::uint32_t c = open.back().call;
        if (m_.kind(n) == node_kind::apply) {
            const value callee = *known(m_.operand(n, 0), c);
            if (callee.function == no_node) return refused(n, "calls what is no function that is known here");
            if (callee.made == no_node) return enter(open, callee);
        }
        operands_.clear();
        for (const node_id o : m_.operands(n)) {
            const value& v = *known(o, c);
            if (v.made == no_node) return refused(n, "reads a function as a value, which no kernel takes");
            operands_.push_back(v.made);
        }
        if (m_.kind(n) == node_kind::projection) {
            const ir_module& now = b_.so_far();
            if (now.kind(operands_[0]) == node_kind::tuple && m_.field(n) < now.arity(operands_[0])) {
                set(n, c, {now.operand(operands_[0], m_.field(n))});
                return std::nullopt;
            }
        }
        set(n, c, {b_.copy(m_, n, operands_)});
        return std::nullopt;
    }
    std::optional<error> enter(std::vector<visit>& open, const value& callee) {
        const node_id n = open.back().node;
        const std::uint32_t c = open.back().call;
        const auto parameters = m_.parameters(callee.function);
        if (m_.arity(n) != parameters.size() + 1)
            return refused(n, "gives " + std::to_string(m_.arity(n) - 1) + " arguments to a function of " +
                                  std::to_string(parameters.size()) + " parameters");
        if (!active_.emplace(callee.function, true).second)
            return refused(n, "calls a function that calls itself, so that its body cannot stand here");
        const auto number = static_cast<std::uint32_t>(calls_.size());
        call made{callee.function, callee.call, {}};
        for (std::size_t i = 0; i < parameters.size(); ++i) made.values[parameters[i]] = *known(m_.operand(n, i + 1), c);
        calls_.push_back(std::move(made));
        open.back().callee = number;
        open.push_back({m_.result(callee.function), number});
        if (b_.so_far().size() > most_nodes) return refused(n, "makes more than " + std::to_string(most_nodes) + " nodes of the program");
        return std::nullopt;
    }

    static constexpr std::size_t most_nodes = std::size_t{1} << 22;

    const ir_module& m_;
    const function_scopes& scopes_;
    ir_builder b_;
    std::vector<node_id> kept_;  // by node: functions that stay, and what stands in them
    std::unordered_map<std::string_view, node_id> named_;
    std::vector<call> calls_;
    std::unordered_map<node_id, bool> active_;  // functions whose calls are being evaluated
    std::vector<node_id> operands_;
};

}  // namespace detail

/// A program as a flow of data, as far as it is one: main with what it calls in the places of the calls, each call of its own, functions
/// that are given and given back among them, and without lets. Calls of parts, composites and primitive functions stay
/// (`stays_a_function`). Types, places, names and positions stay. The error names a node that no flow of data has: a choice, a reference, a
/// value of a data type, a function that calls itself or that is left as a value. Linear in what it makes.
[[nodiscard]] inline outcome<ir_module> inline_calls(const ir_module& m) {
    const auto scopes = function_scopes::of(m);
    if (!scopes) return scopes.failure();
    return detail::call_inlining(m, *scopes).run();
}

}  // namespace inlay

#endif
