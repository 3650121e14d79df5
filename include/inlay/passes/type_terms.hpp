// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PASSES_TYPE_TERMS_HPP
#define INLAY_PASSES_TYPE_TERMS_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include <inlay/core/outcome.hpp>
#include <inlay/graph/node_type.hpp>
#include <inlay/passes/type_size.hpp>

namespace inlay {

/// The number of a type that is still being found out.
using term_id = std::uint32_t;

/// Types in which variables stand for what is not known yet, made equal step by step: unification of first-order terms (Robinson 1965) by
/// union-find. Two tensor types are equal if no extent of the one contradicts the other's; neither changes, so that a function for tensors
/// of any extent stays one.
class type_terms {
public:
    using substitution = std::unordered_map<std::string, term_id>;

    /// A type of which nothing is known.
    [[nodiscard]] term_id variable() { return add({}); }
    [[nodiscard]] term_id tensor(tensor_type t) { return add({node_type::form::tensor, std::move(t), {}, {}}); }
    [[nodiscard]] term_id tuple(std::vector<term_id> fields) { return add({node_type::form::tuple, {}, {}, std::move(fields)}); }
    /// A function: its parameters, and then its result.
    [[nodiscard]] term_id function(std::vector<term_id> fields) { return add({node_type::form::function, {}, {}, std::move(fields)}); }
    [[nodiscard]] term_id reference(term_id content) { return add({node_type::form::reference, {}, {}, {content}}); }
    [[nodiscard]] term_id data(std::string name, std::vector<term_id> arguments) {
        return add({node_type::form::data, {}, std::move(name), std::move(arguments)});
    }
    /// A type as it was declared: what it leaves open are variables, and so are the type variables that the substitution names; others
    /// stand for themselves. O(size of the type).
    [[nodiscard]] term_id of(const node_type& type, const substitution& chosen = {}) {
        switch (type.kind) {
            case node_type::form::unknown:
                return variable();
            case node_type::form::tensor:
                return type.of_tensor.element == element_type::none ? variable() : tensor(type.of_tensor);
            case node_type::form::variable: {
                const auto at = chosen.find(type.name);
                return at != chosen.end() ? at->second : add({node_type::form::variable, {}, type.name, {}});
            }
            default:
                break;
        }
        std::vector<term_id> fields;
        fields.reserve(type.fields.size());
        for (const node_type& f : type.fields) fields.push_back(of(f, chosen));
        return add({type.kind, {}, type.name, std::move(fields)});
    }

    [[nodiscard]] node_type::form form(term_id t) { return terms_[find(t)].form; }
    [[nodiscard]] bool is_known(term_id t) { return form(t) != node_type::form::unknown; }
    [[nodiscard]] const std::vector<term_id>& fields(term_id t) { return terms_[find(t)].fields; }
    [[nodiscard]] const tensor_type& tensor_of(term_id t) { return terms_[find(t)].tensor; }

    /// Makes two types equal; false where they are not types of one value.
    [[nodiscard]] bool unify(term_id a, term_id b) {
        std::vector<std::pair<term_id, term_id>> open{{a, b}};
        while (!open.empty()) {
            std::tie(a, b) = open.back();
            open.pop_back();
            a = find(a);
            b = find(b);
            if (a == b) continue;
            if (terms_[a].form == node_type::form::unknown || terms_[b].form == node_type::form::unknown) {
                if (terms_[b].form == node_type::form::unknown) std::swap(a, b);
                parent_[a] = b;
                ++changes_;
                continue;
            }
            const term &x = terms_[a], &y = terms_[b];
            if (x.form != y.form || x.name != y.name || x.fields.size() != y.fields.size()) return false;
            if (x.form == node_type::form::tensor) {
                if (!agree(x.tensor, y.tensor)) return false;
                continue;
            }
            for (std::size_t i = 0; i < x.fields.size(); ++i) open.emplace_back(x.fields[i], y.fields[i]);
            // Functions that differ in extents only stay two.
            if (x.form != node_type::form::function) parent_[a] = b;
        }
        return true;
    }

    /// The type of values that are of the one type or the other: extents that differ are open.
    [[nodiscard]] std::optional<term_id> joined(term_id a, term_id b) {
        if (find(a) == find(b)) return a;
        if (form(a) == node_type::form::tensor && form(b) == node_type::form::tensor) {
            const tensor_type &x = tensor_of(a), &y = tensor_of(b);
            if (x.element != y.element) return std::nullopt;
            if (x == y) return a;
            if (!x.ranked || !y.ranked || x.rank() != y.rank()) return tensor(tensor_type(x.element));
            tensor_type both = x;
            for (std::size_t i = 0; i < both.rank(); ++i)
                if (both.extents[i] != y.extents[i]) both.extents[i] = extent();
            return tensor(std::move(both));
        }
        if (form(a) == node_type::form::tuple && form(b) == node_type::form::tuple && fields(a).size() == fields(b).size()) {
            std::vector<term_id> both;
            const std::vector<term_id> x = fields(a), y = fields(b);
            for (std::size_t i = 0; i < x.size(); ++i) {
                const auto field = joined(x[i], y[i]);
                if (!field) return std::nullopt;
                both.push_back(*field);
            }
            return tuple(std::move(both));
        }
        if (!unify(a, b)) return std::nullopt;
        return a;
    }

    /// The type as far as it is known. The error: it would hold itself. O(size of the type) for a term that was not asked for before.
    [[nodiscard]] outcome<node_type> resolved(term_id t, std::size_t depth = 0) {
        t = find(t);
        if (depth > deepest) return error{"its type would hold itself, or is nested more than " + std::to_string(deepest) + " deep"};
        if (known_.size() < terms_.size()) known_.resize(terms_.size());
        if (known_[t]) return *known_[t];
        if (depth == 0) {
            std::unordered_map<term_id, std::size_t> counted;
            if (auto fits = detail::type_size::check(parts(t, counted, 0)); !fits) return fits.failure();
        }
        const term own = terms_[t];
        node_type made;
        made.kind = own.form;
        made.of_tensor = own.tensor;
        made.name = own.name;
        bool whole = own.form != node_type::form::unknown;
        for (const term_id f : own.fields) {
            auto field = resolved(f, depth + 1);
            if (!field) return field;
            whole = whole && is_whole(*field);
            made.fields.push_back(*std::move(field));
        }
        if (whole) known_[t] = made;
        return made;
    }
    /// Whether nothing in the type is open but extents.
    [[nodiscard]] static bool is_whole(const node_type& type) {
        if (type.kind == node_type::form::unknown) return false;
        for (const node_type& f : type.fields)
            if (!is_whole(f)) return false;
        return true;
    }

    /// Rises with each variable that becomes known.
    [[nodiscard]] std::size_t changes() const { return changes_; }

private:
    /// How many parts the type has, up to one more than a type may have. What holds itself is found when it is resolved.
    std::size_t parts(term_id t, std::unordered_map<term_id, std::size_t>& counted, std::size_t depth) {
        t = find(t);
        if (depth > deepest) return 1;
        if (const auto at = counted.find(t); at != counted.end()) return at->second;
        std::size_t count = 1;
        for (std::size_t i = 0; i < terms_[t].fields.size() && count <= detail::most_parts_of_a_type; ++i)
            count += parts(terms_[t].fields[i], counted, depth + 1);
        return counted[t] = count;
    }

    static constexpr std::size_t deepest = 2'100;

    struct term {
        node_type::form form = node_type::form::unknown;
        tensor_type tensor;
        std::string name;
        std::vector<term_id> fields;
    };

    term_id add(term t) {
        terms_.push_back(std::move(t));
        parent_.push_back(static_cast<term_id>(parent_.size()));
        return parent_.back();
    }
    term_id find(term_id t) {
        while (parent_[t] != t) t = parent_[t] = parent_[parent_[t]];
        return t;
    }
    static bool agree(const tensor_type& a, const tensor_type& b) {
        if (a.element != b.element) return false;
        if (!a.ranked || !b.ranked) return true;
        if (a.rank() != b.rank()) return false;
        for (std::size_t i = 0; i < a.rank(); ++i)
            if (a.extents[i].is_known() && b.extents[i].is_known() && a.extents[i].size != b.extents[i].size) return false;
        return true;
    }

    std::vector<term> terms_;
    std::vector<term_id> parent_;
    std::vector<std::optional<node_type>> known_;
    std::size_t changes_ = 0;
};

}  // namespace inlay

#endif
