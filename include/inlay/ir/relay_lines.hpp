// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IR_RELAY_LINES_HPP
#define INLAY_IR_RELAY_LINES_HPP

#include <cstddef>
#include <span>
#include <vector>

#include <inlay/ir/ir_module.hpp>
#include <inlay/ir/relay_scopes.hpp>
#include <inlay/ir/relay_spelling.hpp>

namespace inlay {

/// Which nodes of a module get lines of their own in its text, `%N = ...;`, and where: every call, of an operator or a function, every
/// function, if, match and let, unless it is the result of a scope or, but for calls, the value of a let and used as nothing else; and
/// whatever is used more than once. Linear, beside what `relay_scopes` takes.
class relay_lines {
public:
    explicit relay_lines(const ir_module& m)
        : m_(m), scopes_(m), has_line_(m.size(), 0), is_in_place_(m.size(), 0), is_declared_(m.size(), 0) {
        for (const node_id f : m.functions()) is_declared_[f] = 1;
        find_what_is_in_place();
        find_lines();
    }

    [[nodiscard]] const relay_scopes& scopes() const { return scopes_; }
    [[nodiscard]] bool has_line(node_id n) const { return has_line_[n] != 0; }
    /// Whether a node is the result of a scope, or the value of a let, and stands there itself.
    [[nodiscard]] bool is_in_place(node_id n) const { return is_in_place_[n] != 0; }
    /// Whether a node is a function of the module.
    [[nodiscard]] bool is_declared(node_id n) const { return is_declared_[n] != 0; }

    /// The nodes with a line in a scope, and in none inside it, in their order.
    [[nodiscard]] std::span<const node_id> in(scope_id s) const {
        return std::span(lines_).subspan(line_begin_[s], line_begin_[s + 1] - line_begin_[s]);
    }
    /// The same of what stands in no function, by the first function of the module that needs it.
    [[nodiscard]] std::span<const node_id> before(std::size_t function) const { return file_lines_[function]; }
    /// How many lines stand in the scopes that a node has.
    [[nodiscard]] std::size_t within(node_id n) const {
        if (m_.kind(n) == node_kind::let) return lines_within_[scopes_.first(n)];
        std::size_t count = 0;
        for (std::size_t i = 0; i < scopes_.scopes_of(n); ++i) count += lines_within_[scopes_.first(n) + i];
        return count;
    }

private:
    /// What is the result of a scope and used as nothing else needs no line of its own there.
    void find_what_is_in_place() {
        for (node_id n = 0; n < m_.size(); ++n) {
            if (scopes_.home(n) == relay_scopes::nowhere) continue;
            scopes_.each_use(n, [&](node_id o, scope_id s) {
                if (s == scopes_.home(n) || scopes_.uses(o) != 1) return;
                const node_kind k = m_.kind(o);
                if (k == node_kind::if_else || k == node_kind::match || k == node_kind::let ||
                    (k == node_kind::function && m_.kind(n) == node_kind::let && o == m_.operand(n, 1)))
                    is_in_place_[o] = 1;
            });
        }
    }
    [[nodiscard]] bool needs_line(node_id n) const {
        if (scopes_.home(n) == relay_scopes::nowhere || is_declared_[n] != 0 || is_in_place_[n] != 0) return false;
        switch (m_.kind(n)) {
            case node_kind::input:
            case node_kind::global:
                return false;
            case node_kind::constant:  // the index in the metadata says already which are one
                return scopes_.uses(n) > 1 && relay_literal(*m_.constant(n));
            case node_kind::call:
            case node_kind::apply:
            case node_kind::function:
            case node_kind::if_else:
            case node_kind::match:
            case node_kind::let:
                return true;
            default:
                return scopes_.uses(n) > 1;
        }
    }
    /// The lines of each scope in the order of their nodes; and of what stands in no function, by the function that comes to it first.
    void find_lines() {
        const std::size_t definitions = m_.functions().size();
        line_begin_.assign(scopes_.size() + 1, 0);
        lines_within_.assign(scopes_.size(), 0);
        file_lines_.resize(definitions);
        std::vector<node_id> all;
        for (node_id n = 0; n < m_.size(); ++n) {
            if (!needs_line(n)) continue;
            has_line_[n] = 1;
            if (scopes_.home(n) == 0) {
                if (scopes_.definition(n) < definitions) file_lines_[scopes_.definition(n)].push_back(n);
                continue;
            }
            all.push_back(n);
            ++line_begin_[scopes_.home(n) + 1];
            ++lines_within_[scopes_.home(n)];
        }
        for (std::size_t s = 0; s < scopes_.size(); ++s) line_begin_[s + 1] += line_begin_[s];
        for (std::size_t s = scopes_.size(); s-- > 1;) lines_within_[scopes_.parent(static_cast<scope_id>(s))] += lines_within_[s];
        lines_.resize(all.size());
        std::vector<std::size_t> next(line_begin_.begin(), line_begin_.end() - 1);
        for (const node_id n : all) lines_[next[scopes_.home(n)]++] = n;
    }

    const ir_module& m_;
    relay_scopes scopes_;
    std::vector<char> has_line_, is_in_place_, is_declared_;  // by node
    std::vector<std::size_t> line_begin_, lines_within_;  // by scope: where its lines begin in `lines_`; how many stand in it and deeper
    std::vector<node_id> lines_;
    std::vector<std::vector<node_id>> file_lines_;  // by function of the module
};

}  // namespace inlay

#endif
