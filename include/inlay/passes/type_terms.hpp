// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PASSES_TYPE_TERMS_HPP
#define INLAY_PASSES_TYPE_TERMS_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/graph/node_type.hpp>

namespace inlay {

/// The number of a type that is still being found out.
using term_id = std::uint32_t;
inline constexpr term_id no_term = 0xFFFF'FFFFu;

/// The type variables that functions around declare, innermost first, and what stands for each.
struct type_scope {
    const type_scope* around = nullptr;
    std::vector<std::pair<std::string_view, term_id>> variables;
};

/// Types in an arena, in which open ones stand for what is not known yet and are linked to what they become: terms of first order in a
/// union-find. Nothing here says which types go together; `type_unifier` does. No function recurses deeper than declared types are nested.
class type_terms {
public:
    enum class form : std::uint8_t { open, linked, tensor, tuple, function, reference, data, rigid };

    /// Types that are nested deeper, or have more parts, are refused by those who use this.
    static constexpr std::uint32_t deepest = 2'000, largest = 1u << 20;

    [[nodiscard]] term_id open() { return add({form::open, none, none, 0, 1, 1}); }
    [[nodiscard]] term_id tensor(tensor_type t) {
        tensors_.emplace_back(std::move(t));
        return add({form::tensor, 0, 0, static_cast<std::uint32_t>(tensors_.size() - 1), 1, 1});
    }
    [[nodiscard]] term_id tuple(std::span<const term_id> fields) { return compound(form::tuple, fields, 0); }
    /// A function: its parameters, and then its result. `generic`: the variables that each use of it chooses types for, rigid terms.
    [[nodiscard]] term_id function(std::span<const term_id> fields, std::vector<term_id> generic = {}) {
        if (generic.empty()) return compound(form::function, fields, 0);
        generics_.push_back(std::move(generic));
        return compound(form::function, fields, static_cast<std::uint32_t>(generics_.size()));
    }
    [[nodiscard]] term_id reference(term_id content) { return compound(form::reference, {&content, 1}, 0); }
    [[nodiscard]] term_id data(std::string_view name, std::span<const term_id> arguments) {
        return compound(form::data, arguments, number_of(name));
    }
    /// A type variable inside the function that declares it: a type of which only the name is known.
    [[nodiscard]] term_id rigid(std::string_view name) { return add({form::rigid, 0, 0, number_of(name), 1, 1}); }

    /// A type as it was declared; what it leaves open is open. A type variable that nobody declares is one of its own. O(size of the type).
    [[nodiscard]] term_id of(const node_type& type, const type_scope* scope = nullptr) {
        switch (type.kind) {
            case node_type::form::unknown:
                return open();
            case node_type::form::tensor:
                return type.of_tensor.element == element_type::none && !type.of_tensor.ranked ? open() : tensor(type.of_tensor);
            case node_type::form::variable: {
                for (const type_scope* s = scope; s != nullptr; s = s->around)
                    for (const auto& [name, term] : s->variables)
                        if (name == type.name) return term;
                const auto [at, fresh] = undeclared_.try_emplace(type.name, no_term);
                if (fresh) at->second = rigid(type.name);
                return at->second;
            }
            default:
                break;
        }
        type_scope own{scope, {}};
        std::vector<term_id> fields, generic;
        for (const std::string& v : type.variables) own.variables.emplace_back(v, generic.emplace_back(rigid(v)));
        fields.reserve(type.fields.size());
        for (const node_type& f : type.fields) fields.push_back(of(f, type.variables.empty() ? scope : &own));
        if (type.kind == node_type::form::function) return function(fields, std::move(generic));
        if (type.kind == node_type::form::data) return data(type.name, fields);
        return compound(type.kind == node_type::form::tuple ? form::tuple : form::reference, fields, 0);
    }

    /// The term that stands for all that are the same type as t.
    [[nodiscard]] term_id find(term_id t) {
        while (terms_[t].what == form::linked) {
            term& link = terms_[t];
            if (terms_[link.first].what == form::linked) link.first = terms_[link.first].first;
            t = link.first;
        }
        return t;
    }
    [[nodiscard]] form what(term_id t) { return terms_[find(t)].what; }
    [[nodiscard]] bool is_open(term_id t) { return what(t) == form::open; }
    [[nodiscard]] std::size_t count(term_id t) { return terms_[find(t)].count; }
    [[nodiscard]] term_id child(term_id t, std::size_t i) { return children_[terms_[find(t)].first + i]; }
    /// Until the next term is made.
    [[nodiscard]] std::span<const term_id> children(term_id t) {
        const term& own = terms_[find(t)];
        return {children_.data() + own.first, own.count};
    }
    /// A tensor's type; until the next one is made.
    [[nodiscard]] const node_type& tensor_at(term_id t) { return tensors_[terms_[find(t)].more]; }
    [[nodiscard]] tensor_type& tensor_of(term_id t) { return tensors_[terms_[find(t)].more].of_tensor; }
    /// Of a data type, or a variable.
    [[nodiscard]] std::string_view name(term_id t) { return *names_[terms_[find(t)].more]; }
    /// The variables of a function that is generic; empty for all else.
    [[nodiscard]] std::span<const term_id> generic(term_id t) {
        const term& own = terms_[find(t)];
        if (own.what != form::function || own.more == 0) return {};
        return generics_[own.more - 1];
    }
    /// How deep it is nested, and how many parts it has, at least: what was open when it was made counts once.
    [[nodiscard]] bool is_too_large(term_id t) {
        const term& own = terms_[find(t)];
        return own.depth > deepest || own.size > largest;
    }

    /// Makes an open term another. Precondition: `t` does not contain it.
    void link(term_id open, term_id t) { terms_[open] = {form::linked, t, 0, 0, 0, 0}; }
    /// The two numbers that an open term holds for others, `none` in the beginning.
    [[nodiscard]] std::pair<std::uint32_t&, std::uint32_t&> held(term_id open) { return {terms_[open].first, terms_[open].count}; }
    static constexpr std::uint32_t none = 0xFFFF'FFFFu;

    /// Whether `part` is in the type. O(size of the type, shared parts once).
    [[nodiscard]] bool contains(term_id whole, term_id part) {
        bool found = false;
        each_part(whole, [&](term_id t) { return !(found = found || t == part); });
        return found;
    }
    /// Something in the type that is open, or `no_term`.
    [[nodiscard]] term_id first_open(term_id whole) {
        term_id found = no_term;
        each_part(whole, [&](term_id t) {
            if (found == no_term && terms_[t].what == form::open) found = t;
            return found == no_term;
        });
        return found;
    }
    /// Whether all of the type is known, extents too.
    [[nodiscard]] bool is_definite(term_id whole) {
        bool definite = true;
        each_part(whole, [&](term_id t) {
            if (terms_[t].what == form::open) definite = false;
            if (terms_[t].what == form::tensor) definite = definite && tensors_[terms_[t].more].of_tensor.is_static();
            return definite;
        });
        return definite;
    }

    /// The type anew: tensors are others, so that extents that the one learns stay unknown to the other; what is open is shared. The terms
    /// on the left of `instead` become those on the right. O(size of the type, shared parts once).
    [[nodiscard]] term_id copy(term_id whole, std::span<const std::pair<term_id, term_id>> instead = {}) {
        begin_walk();
        for (const auto& [from, to] : instead) note(find(from), to);
        std::vector<std::pair<term_id, std::size_t>> left{{find(whole), 0}};
        std::vector<term_id> fields;
        while (!left.empty()) {
            auto& [t, next] = left.back();
            if (seen_[t] == walk_) {
                left.pop_back();
                continue;
            }
            const term own = terms_[t];
            if (own.what == form::tensor) {
                note(t, tensor(tensor_type(tensors_[own.more].of_tensor)));
            } else if (own.count == 0 || own.what == form::open || own.what == form::rigid) {
                note(t, t);
            } else if (next < own.count) {
                const term_id c = find(children_[own.first + next++]);
                if (seen_[c] != walk_) left.emplace_back(c, 0);
                continue;
            } else {
                fields.clear();
                for (std::uint32_t i = 0; i < own.count; ++i) fields.push_back(noted_[find(children_[own.first + i])]);
                note(t, compound(own.what, fields, own.more));
            }
            left.pop_back();
        }
        return noted_[find(whole)];
    }
    /// A generic function with open types for its variables; another function as it is.
    [[nodiscard]] term_id instance(term_id function) {
        const std::vector<term_id> variables(generic(function).begin(), generic(function).end());
        if (variables.empty()) return function;
        std::vector<std::pair<term_id, term_id>> chosen;
        for (const term_id v : variables) chosen.emplace_back(v, open());
        const term_id made = copy(function, chosen);
        terms_[made].more = 0;
        return made;
    }

    /// The type as far as it is known, parts that are nested deeper than so many left out: for messages and type rules.
    [[nodiscard]] node_type seen(term_id t, std::size_t depth = deepest) {
        t = find(t);
        const term own = terms_[t];
        if (own.what == form::open || depth == 0) return {};
        if (own.what == form::tensor) return tensors_[own.more];
        return made_of(own, [&](std::size_t i) { return seen(children_[own.first + i], depth - 1); });
    }
    [[nodiscard]] std::string shown(term_id t) { return to_string(seen(t, 8)); }

    /// The type of a term when all is said, made once for each; until the next is asked for. Null where it is nested too deep, or has too
    /// many parts.
    [[nodiscard]] const node_type* resolved(term_id whole) {
        whole = find(whole);
        if (place_.size() < terms_.size()) place_.resize(terms_.size(), none);
        if (place_[whole] == refused) return nullptr;
        if (place_[whole] != none) return &resolved_[place_[whole]].type;
        const auto refuse = [&](const std::vector<std::pair<term_id, std::size_t>>& left) {
            for (const auto& [around, at] : left) place_[around] = refused;
            return nullptr;
        };
        std::vector<std::pair<term_id, std::size_t>> left{{whole, 0}};
        place_[whole] = entered;
        while (!left.empty()) {
            auto& [t, next] = left.back();
            const term own = terms_[t];
            const bool nests = own.what >= form::tuple && own.what <= form::data;
            if (nests && next < own.count) {
                const term_id c = find(children_[own.first + next++]);
                if (place_[c] == refused || place_[c] == entered) return refuse(left);
                if (place_[c] == none) {
                    place_[c] = entered;
                    left.emplace_back(c, 0);
                }
                continue;
            }
            std::uint32_t depth = 1, size = 1;
            for (std::uint32_t i = 0; nests && i < own.count; ++i) {
                const resolved_type& c = resolved_[place_[find(children_[own.first + i])]];
                depth = std::max(depth, c.depth + 1);
                size = std::min(size + c.size, largest + 1);
            }
            if (depth > deepest || size > largest) return refuse(left);
            node_type type = own.what == form::open     ? node_type()
                             : own.what == form::tensor ? tensors_[own.more]
                                                        : made_of(own, [&](std::size_t i) {
                                                              return resolved_[place_[find(children_[own.first + i])]].type;
                                                          });
            place_[t] = static_cast<std::uint32_t>(resolved_.size());
            resolved_.push_back({std::move(type), depth, size});
            left.pop_back();
        }
        return &resolved_[place_[whole]].type;
    }

private:
    static constexpr std::uint32_t refused = none - 1, entered = none - 2;

    struct term {
        form what = form::open;
        std::uint32_t first = none, count = none;  // children; of a link, what it leads to; of an open term, what others hold there
        std::uint32_t more = 0;                    // a tensor's, a name's, or the number after that of a generic function's variables
        std::uint32_t depth = 1, size = 1;
    };
    struct resolved_type {
        node_type type;
        std::uint32_t depth = 1, size = 1;
    };

    term_id add(const term& t) {
        terms_.push_back(t);
        return static_cast<term_id>(terms_.size() - 1);
    }
    term_id compound(form what, std::span<const term_id> fields, std::uint32_t more) {
        term t{what, static_cast<std::uint32_t>(children_.size()), static_cast<std::uint32_t>(fields.size()), more, 1, 1};
        for (const term_id f : fields) {
            const term& field = terms_[find(f)];
            t.depth = std::max(t.depth, field.depth + 1);
            t.size = std::min(t.size + field.size, largest + 1);
            children_.push_back(f);
        }
        return add(t);
    }
    std::uint32_t number_of(std::string_view name) {
        const auto [at, fresh] = name_numbers_.try_emplace(std::string(name), static_cast<std::uint32_t>(names_.size()));
        if (fresh) names_.push_back(&at->first);
        return at->second;
    }
    template <class Field>
    [[nodiscard]] node_type made_of(const term& own, Field&& field) {
        node_type type;
        constexpr node_type::form forms[] = {node_type::form::unknown,  node_type::form::unknown,   node_type::form::tensor,
                                             node_type::form::tuple,    node_type::form::function,  node_type::form::reference,
                                             node_type::form::data,     node_type::form::variable};
        type.kind = forms[static_cast<std::size_t>(own.what)];
        if (own.what == form::data || own.what == form::rigid) type.name = *names_[own.more];
        if (own.what == form::rigid) return type;
        if (own.what == form::function && own.more != 0)
            for (const term_id v : generics_[own.more - 1]) type.variables.emplace_back(*names_[terms_[v].more]);
        type.fields.reserve(own.count);
        for (std::uint32_t i = 0; i < own.count; ++i) type.fields.push_back(field(i));
        return type;
    }

    void begin_walk() {
        ++walk_;
        seen_.resize(terms_.size(), 0);
        noted_.resize(terms_.size(), no_term);
    }
    void note(term_id t, term_id as) {
        seen_[t] = walk_;
        noted_[t] = as;
    }
    /// Calls `go_on(part)` for each part of a type, shared ones once, as long as it says so.
    template <class GoOn>
    void each_part(term_id whole, GoOn&& go_on) {
        whole = find(whole);
        // Most types have no parts.
        const form what = terms_[whole].what;
        if (what < form::tuple || what > form::data || terms_[whole].count == 0) {
            go_on(whole);
            return;
        }
        begin_walk();
        left_.assign(1, whole);
        while (!left_.empty()) {
            const term_id t = left_.back();
            left_.pop_back();
            if (seen_[t] == walk_) continue;
            seen_[t] = walk_;
            if (!go_on(t)) return;
            const term& own = terms_[t];
            if (own.what < form::tuple || own.what > form::data) continue;
            for (std::uint32_t i = own.count; i-- > 0;) left_.push_back(find(children_[own.first + i]));
        }
    }

    std::vector<term> terms_;
    std::vector<term_id> children_;
    std::vector<node_type> tensors_;
    std::vector<std::vector<term_id>> generics_;
    std::map<std::string, std::uint32_t> name_numbers_;
    std::vector<const std::string*> names_;
    std::map<std::string, term_id> undeclared_;

    std::uint32_t walk_ = 0;
    std::vector<std::uint32_t> seen_;  // by term: the last walk that came there
    std::vector<term_id> noted_, left_;

    std::vector<std::uint32_t> place_;  // by term: of its type among those that are resolved
    std::vector<resolved_type> resolved_;
};

}  // namespace inlay

#endif
