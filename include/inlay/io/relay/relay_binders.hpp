// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IO_RELAY_RELAY_BINDERS_HPP
#define INLAY_IO_RELAY_RELAY_BINDERS_HPP

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/core/nearest_name.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/io/relay/relay_attribute.hpp>
#include <inlay/io/relay/relay_cursor.hpp>
#include <inlay/io/relay/relay_names.hpp>
#include <inlay/io/relay/relay_nodes.hpp>
#include <inlay/io/relay/relay_types.hpp>
#include <inlay/ir/match_pattern.hpp>

namespace inlay {

/// Reads what binds names: variables with their places and types, heads of functions, patterns of clauses; and attributes. What reads gives
/// false, or nothing, where there is a fault after which the text does not go on as it should. No recursion.
class relay_binders {
public:
    /// What is handed over outlives this.
    relay_binders(relay_cursor& c, relay_types& types, const relay_attribute_reader& attributes, relay_nodes& nodes, relay_names& names)
        : c_(c), types_(types), attributes_(attributes), nodes_(nodes), names_(names) {}

    /// Type variables, parameters, attributes and result of a function. Its names stand until they are left.
    bool head(relay_head& h) {
        if ((c_.at('[') || c_.at('<')) && !types_.read_variables(c_, &h.variables)) return false;
        const std::size_t names = names_.count();
        if (!c_.expect('(', "'('")) return false;
        while (!c_.at(')')) {
            if (c_.at(relay_word::local)) {
                const auto v = variable(names);
                if (!v) return false;
                h.parameters.push_back(*v);
            } else if (c_.at(relay_word::name) || c_.at(relay_word::text)) {
                if (!attribute(h.attributes)) return false;
            } else {
                return c_.missing("a parameter, an attribute or ')'");
            }
            if (!c_.take(',') && !c_.at(')')) return c_.missing("a comma or ')'");
        }
        c_.next();
        if (!c_.take(relay_word::arrow)) return true;
        auto type = types_.read(c_);
        if (!type) return false;
        h.result = *std::move(type);
        return true;
    }
    /// A variable where it is bound, with its place and its type. It must not have been bound since there were so many names.
    std::optional<node_id> variable(std::size_t names_before) {
        const relay_token name = c_.next();
        std::size_t there = relay_attributes::no_place;
        if (c_.take('{')) {
            while (!c_.at('}')) {
                relay_attributes a;
                if (!attribute(a)) return std::nullopt;
                if (!a.values.empty() || a.from != relay_attributes::no_place || a.to != relay_attributes::no_place)
                    c_.fault(name.at, "a variable has no attribute but virtual_device");
                there = a.place;
                if (!c_.take(',')) break;
            }
            if (!c_.expect('}', "'}'")) return std::nullopt;
        }
        node_type type;
        if (c_.take(':')) {
            auto read = types_.read(c_);
            if (!read) return std::nullopt;
            type = *std::move(read);
        }
        const node_id v = nodes_.variable(name.text, type, name.at);
        if (there != relay_attributes::no_place) nodes_.set_place(v, there);
        if (names_.is_bound_since(name.text, names_before))
            c_.fault(name.at, "the variable " + quoted_text("%" + std::string(name.text)) + " stands twice; give one of them another name");
        names_.bind(name.text, v);
        return v;
    }
    bool attribute(relay_attributes& to) {
        const relay_token name = c_.next();
        relay_attribute a;
        if (!c_.expect('=', "'='") || !attributes_.read(c_, a)) return false;
        const std::string key = name.what == relay_word::text ? unquoted_relay_text(name.text) : std::string(name.text);
        if (to.values.size() == relay_attributes::most)
            return c_.fault(name.at, "there are more than " + std::to_string(relay_attributes::most) + " attributes here");
        if (!to.set(key, std::move(a))) c_.fault(name.at, "the attribute " + quoted_text(key) + " cannot be a place; virtual_device can");
        return true;
    }
    /// The pattern of a clause, whose variables go to `variables`.
    bool pattern(std::string& text, std::vector<node_id>& variables) {
        struct open_part {
            std::size_t part;
            relay_token name;
            std::optional<relay_types::constructor_place> made;
        };
        match_pattern p;
        std::vector<open_part> open;
        const std::size_t names = names_.count();
        const auto nest = [&](match_pattern::form what, const relay_token& name) {
            open.push_back({p.parts.size(), name, {}});
            p.parts.push_back({what, 0, std::string(what == match_pattern::form::constructor ? name.text : std::string_view())});
        };
        for (;;) {
            if (c_.at(relay_word::local)) {
                const auto v = variable(names);
                if (!v) return false;
                variables.push_back(*v);
                p.parts.push_back({match_pattern::form::variable, 0, {}});
            } else if (c_.take_name("_")) {
                p.parts.push_back({match_pattern::form::wildcard, 0, {}});
            } else if (c_.at('(')) {
                nest(match_pattern::form::tuple, c_.next());
                if (!c_.take(')')) continue;
                open.pop_back();
            } else if (c_.at(relay_word::name) && !c_.at_definition()) {
                nest(match_pattern::form::constructor, c_.next());
                open.back().made = types_.constructor(open.back().name.text);
                if (!open.back().made) no_constructor(open.back().name);
                if (c_.take('(') && !c_.take(')')) continue;
                if (open.back().made) tell_fields(open.back().name, *open.back().made, 0);
                open.pop_back();
            } else {
                return c_.missing("a pattern");
            }
            for (;;) {
                if (open.empty()) {
                    text = to_string(p);
                    return true;
                }
                const open_part& top = open.back();
                ++p.parts[top.part].fields;
                if (c_.take(',') && !c_.at(')')) break;
                if (!c_.take(')')) return c_.missing("a comma or ')'");
                if (top.made) tell_fields(top.name, *top.made, p.parts[top.part].fields);
                open.pop_back();
            }
        }
    }

    void no_constructor(const relay_token& t) {
        if (c_.faults().is_full()) return;
        c_.fault(t.at, "there is no constructor " + quoted_text(t.text, 60) + name_hint(t.text, types_.constructor_names()));
    }
    /// Says so if a constructor is given another number of fields than it has.
    void tell_fields(const relay_token& t, relay_types::constructor_place at, std::size_t given) {
        const std::size_t fields = types_.type(at.type).constructors[at.number].fields.size();
        if (fields != given)
            c_.fault(t.at, "the constructor " + quoted_text(t.text, 60) + " has " + std::to_string(fields) + " fields, and is given " +
                               std::to_string(given));
    }

private:
    relay_cursor& c_;
    relay_types& types_;
    const relay_attribute_reader& attributes_;
    relay_nodes& nodes_;
    relay_names& names_;
};

}  // namespace inlay

#endif
