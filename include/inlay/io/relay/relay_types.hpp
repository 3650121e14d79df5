// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IO_RELAY_RELAY_TYPES_HPP
#define INLAY_IO_RELAY_RELAY_TYPES_HPP

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <unordered_map>
#include <utility>
#include <vector>

#include <inlay/core/nearest_name.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/graph/node_type.hpp>
#include <inlay/io/relay/relay_cursor.hpp>
#include <inlay/ir/data_type.hpp>

namespace inlay {

/// Reads types, and knows the data types of a text: those that it defines, and of the prelude List, Option and Tree, which every program
/// may use, and `Storage`, of which nothing is known.
class relay_types {
public:
    static constexpr std::size_t deepest = 2000;

    /// Of a constructor: which it is of which type.
    struct constructor_place {
        std::size_t type = 0, number = 0;
    };

    relay_types() {
        const node_type a = node_type::variable("A");
        const auto of_a = [&](std::string name) { return node_type::data(std::move(name), {a}); };
        add_known({"List", {"A"}, {{"Cons", {a, of_a("List")}}, {"Nil", {}}}});
        add_known({"Option", {"A"}, {{"Some", {a}}, {"None", {}}}});
        add_known({"Tree", {"A"}, {{"Rose", {a, node_type::data("List", {of_a("Tree")})}}}});
        add_known({"Storage", {}, {}, true});
        known_ = all_.size();
    }

    // Definitions: first the names of all, since they mention each other, and then what they are made of.

    /// A type's definition, of which only the name is read. The cursor stands at `type`.
    void declare(relay_cursor c) {
        c.next();
        const relay_token name = c.next();
        const auto [known, fresh] = numbers_.try_emplace(std::string(name.text), all_.size());
        if (!fresh && known->second >= known_) {
            c.fault(name.at, "the type " + quoted_text(name.text) + " is defined twice; leave one of them out");
            return;
        }
        known->second = all_.size();
        all_.push_back({});
        all_.back().name = name.text;
        is_used_.push_back(1);
        if (c.at('[')) {
            c.next();
            while (c.at(relay_word::name)) {
                all_.back().variables.emplace_back(c.next().text);
                if (!c.take(',')) break;
            }
        }
    }

    /// The whole of a definition; the cursor comes to stand behind it. False: there is a fault, and it may stand anywhere.
    bool define(relay_cursor& c, bool is_external) {
        c.next();
        const relay_token name = c.next();
        const std::size_t type = numbers_.at(std::string(name.text));
        all_[type].external = is_external;
        const std::size_t variables = variables_.size();
        if (c.at('[') && !read_variables(c)) return false;
        const bool made = constructors(c, type);
        leave_variables(variables);
        return made;
    }

    /// The constructor of that name, or nothing. The data type is then among the used ones.
    [[nodiscard]] std::optional<constructor_place> constructor(std::string_view name) {
        if (const auto found = constructors_.find(std::string(name)); found != constructors_.end()) {
            use(found->second.type);
            return found->second;
        }
        return std::nullopt;
    }
    [[nodiscard]] const data_type& type(std::size_t number) const { return all_[number]; }
    /// The names of all constructors.
    [[nodiscard]] std::vector<std::string_view> constructor_names() const {
        std::vector<std::string_view> names;
        for (const data_type& t : all_)
            for (const data_type::constructor& made : t.constructors) names.push_back(made.name);
        return names;
    }
    /// Gives the constructors of the prelude to the types that are not defined in the text. Once, behind the definitions.
    void finish_definitions() {
        for (std::size_t t = 0; t < known_; ++t) {
            if (numbers_.at(all_[t].name) != t) continue;
            for (std::size_t i = 0; i < all_[t].constructors.size(); ++i)
                constructors_.try_emplace(all_[t].constructors[i].name, constructor_place{t, i});
        }
    }
    /// What is wrong where a type of the prelude is used and the text gives one of its constructors to a type of its own.
    [[nodiscard]] std::optional<std::string> clash() const {
        for (std::size_t t = 0; t < known_; ++t) {
            if (is_used_[t] == 0) continue;
            for (const data_type::constructor& made : all_[t].constructors)
                if (constructors_.at(made.name).type != t)
                    return "the type " + quoted_text(all_[t].name) + " is not defined here, and the prelude's has the constructor " +
                           quoted_text(made.name) +
                           ", which is defined otherwise here; define the type, or give the constructor another name";
        }
        return std::nullopt;
    }
    /// The types that the program has: those of the prelude that were used, then those that the text defines.
    [[nodiscard]] std::vector<data_type> used() const {
        std::vector<data_type> list;
        for (std::size_t t = 0; t < all_.size(); ++t)
            if (is_used_[t] != 0) list.push_back(all_[t]);
        return list;
    }

    // Types.

    /// Names of type variables, in `[]` or `<>`, which stand for themselves until they are left.
    bool read_variables(relay_cursor& c, std::vector<std::string>* names = nullptr) {
        const unsigned char end = c.at('<') ? '>' : ']';
        c.next();
        while (!c.at(end)) {
            if (!c.at(relay_word::name)) return c.missing("the name of a type variable");
            const std::string name(c.next().text);
            variables_.push_back(name);
            ++variable_count_[name];
            if (names != nullptr) names->push_back(name);
            if (!c.take(',')) break;
        }
        return c.expect(end, end == '>' ? "a comma or '>'" : "a comma or ']'");
    }
    [[nodiscard]] std::size_t variables() const { return variables_.size(); }
    void leave_variables(std::size_t from) {
        for (; variables_.size() > from; variables_.pop_back()) --variable_count_[variables_.back()];
    }

    /// The type that stands here; nothing: there is a fault. Linear; no recursion.
    std::optional<node_type> read(relay_cursor& c) {
        const std::size_t variables = variables_.size();
        auto made = read_open(c);
        leave_variables(variables);
        return made;
    }

private:
    struct open_type {
        node_type type;
        source_position at;
        std::size_t variables = 0;  // how many there were around
        bool in_result = false;     // of a function
        bool has_comma = false;
    };

    void add_known(data_type type) {
        numbers_.emplace(type.name, all_.size());
        all_.push_back(std::move(type));
        is_used_.push_back(0);
    }
    void use(std::size_t type) {
        if (is_used_[type] != 0) return;
        is_used_[type] = 1;
        if (all_[type].name == "Tree") use(numbers_.at("List"));
    }

    bool constructors(relay_cursor& c, std::size_t type) {
        if (!c.at('{')) return all_[type].external || c.missing("'{'");
        c.next();
        while (!c.at('}')) {
            if (!c.at(relay_word::name)) return c.missing("a constructor or '}'");
            const relay_token name = c.next();
            data_type::constructor made{std::string(name.text), {}};
            if (c.take('(')) {
                while (!c.at(')')) {
                    auto field = read(c);
                    if (!field) return false;
                    made.fields.push_back(*std::move(field));
                    if (!c.take(',')) break;
                }
                if (!c.expect(')', "a comma or ')'")) return false;
            }
            if (!constructors_.try_emplace(made.name, constructor_place{type, all_[type].constructors.size()}).second)
                c.fault(name.at, "a constructor " + quoted_text(name.text) + " is defined twice; give one of them another name");
            all_[type].constructors.push_back(std::move(made));
            if (!c.take(',')) break;
        }
        return c.expect('}', "a comma or '}'");
    }

    std::optional<node_type> read_open(relay_cursor& c) {
        std::vector<open_type> open;
        for (;;) {
            if (open.size() > deepest) {
                c.fault("types stand in each other more than " + std::to_string(deepest) + " deep");
                return std::nullopt;
            }
            bool is_whole = false;
            node_type made;
            if (!begin(c, open, made, is_whole)) return std::nullopt;
            if (!is_whole) continue;
            for (;;) {
                if (open.empty()) return made;
                open.back().type.fields.push_back(std::move(made));
                bool wants_more = false;
                if (!go_on(c, open.back(), wants_more)) return std::nullopt;
                if (wants_more) break;
                made = std::move(open.back().type);
                leave_variables(open.back().variables);
                open.pop_back();
            }
        }
    }

    /// Reads what is a type by itself, or opens one that has others in it.
    bool begin(relay_cursor& c, std::vector<open_type>& open, node_type& made, bool& is_whole) {
        const relay_token t = c.now();
        is_whole = true;
        if (c.take('?') || c.take_name("_")) return true;
        const auto nest = [&](node_type::form kind) {
            open.push_back({});
            open.back().type.kind = kind;
            open.back().at = t.at;
            open.back().variables = variables_.size();
            is_whole = false;
            return true;
        };
        if (c.take('(')) {
            if (!c.take(')')) return nest(node_type::form::tuple);
            made = node_type::tuple({});
            return true;
        }
        if (!c.at(relay_word::name)) return c.missing("a type");
        c.next();
        if (t.text == "fn") {
            nest(node_type::form::function);
            if ((c.at('[') || c.at('<')) && !read_variables(c, &open.back().type.variables)) return false;
            if (!c.expect('(', "'('")) return false;
            if (!c.at(')')) return true;
            open.back().in_result = true;
            c.next();
            return c.expect(relay_word::arrow, "'->'");
        }
        if (t.text == "ref") return nest(node_type::form::reference) && c.expect('(', "'('");
        if (t.text == "Tensor") return tensor(c, made);
        if (const auto element = element_named(t.text)) {
            made = tensor_type(*element, {});
            return true;
        }
        if (const auto known = variable_count_.find(std::string(t.text)); known != variable_count_.end() && known->second != 0) {
            made = node_type::variable(std::string(t.text));
            return true;
        }
        return data(c, t, open, made, is_whole);
    }
    bool data(relay_cursor& c, const relay_token& name, std::vector<open_type>& open, node_type& made, bool& is_whole) {
        const auto found = numbers_.find(std::string(name.text));
        if (found == numbers_.end()) {
            if (c.faults().is_full()) return false;
            std::vector<std::string_view> names{"Tensor"};
            for (const data_type& t : all_) names.push_back(t.name);
            c.fault(name.at, "there is no type " + quoted_text(name.text) + name_hint(name.text, names));
            // What stands in its brackets need not be types.
            if (c.at('[')) return false;
        } else {
            use(found->second);
        }
        made = node_type::data(std::string(name.text), {});
        if (c.at('[')) {
            c.next();
            if (!c.take(']')) {
                open.push_back({std::move(made), name.at, variables_.size()});
                is_whole = false;
                return true;
            }
        }
        tell_arguments(c, made, name.at);
        return true;
    }
    /// Says so if a data type is given another number of types than it has variables.
    void tell_arguments(relay_cursor& c, const node_type& made, source_position at) {
        const auto found = numbers_.find(made.name);
        if (found == numbers_.end()) return;
        const data_type& type = all_[found->second];
        if (type.external || type.variables.size() == made.fields.size()) return;
        c.fault(at, "the type " + quoted_text(made.name) + " has " + std::to_string(type.variables.size()) + " variables, and is given " +
                        std::to_string(made.fields.size()) + " types");
    }

    /// A type has been read inside of this one.
    bool go_on(relay_cursor& c, open_type& top, bool& wants_more) {
        if (top.in_result) return true;
        const unsigned char end = top.type.kind == node_type::form::data ? ']' : ')';
        const bool is_single = top.type.kind == node_type::form::reference;
        if (!is_single && c.take(',')) {
            top.has_comma = true;
            if (!c.at(end)) return wants_more = true;
        }
        if (!c.expect(end, is_single ? "')'" : end == ']' ? "a comma or ']'" : "a comma or ')'")) return false;
        switch (top.type.kind) {
            case node_type::form::tuple:
                if (!top.has_comma) {
                    node_type inner = std::move(top.type.fields.front());
                    top.type = std::move(inner);
                }
                return true;
            case node_type::form::function:
                top.in_result = true;
                wants_more = true;
                return c.expect(relay_word::arrow, "'->'");
            case node_type::form::data:
                tell_arguments(c, top.type, top.at);
                return true;
            default:
                return true;
        }
    }

    bool tensor(relay_cursor& c, node_type& made) {
        if (!c.expect('[', "'['") || !c.expect('(', "'('")) return false;
        tensor_type t;
        t.ranked = true;
        while (!c.at(')')) {
            if (c.take(relay_word::dots)) {
                if (!t.extents.empty()) return c.fault("dots stand for a shape of which nothing is known, and not beside its extents");
                t.ranked = false;
                break;
            }
            auto e = read_extent(c);
            if (!e) return false;
            t.extents.push_back(*std::move(e));
            if (!c.take(',')) break;
        }
        if (!c.expect(')', "a comma or ')'") || !c.expect(',', "a comma and the type of the elements")) return false;
        const auto element = c.at(relay_word::name) ? element_named(c.now().text) : std::nullopt;
        if (!element) {
            if (!c.at(relay_word::name)) return c.missing("the type of the elements");
            return c.fault("there is no element type " + quoted_text(c.now().text));
        }
        c.next();
        t.element = *element;
        made = std::move(t);
        return c.expect(']', "']'");
    }
    std::optional<extent> read_extent(relay_cursor& c) {
        if (c.take('?') || c.take_name("_")) return extent();
        if (c.at(relay_word::name)) return extent(std::string(c.next().text));
        if (c.at(relay_word::text)) return extent(unquoted_relay_text(c.next().text));
        if (!c.at(relay_word::number)) {
            c.missing("an extent");
            return std::nullopt;
        }
        const std::string_view text = c.now().text;
        std::int64_t size = 0;
        const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), size);
        const std::string_view rest(end, static_cast<std::size_t>(text.data() + text.size() - end));
        if (fault != std::errc() || (!rest.empty() && rest != "i64" && rest != "i32")) {
            c.fault("an extent is a whole number of 63 bits, and not " + quoted_text(text, 40));
            return std::nullopt;
        }
        c.next();
        return extent(size);
    }
    [[nodiscard]] static std::optional<element_type> element_named(std::string_view name) {
        return name == "uint1" ? element_type::boolean : element_type_named(name);
    }

    std::vector<data_type> all_;  // those of the prelude first
    std::vector<char> is_used_;
    std::size_t known_ = 0;
    std::unordered_map<std::string, std::size_t> numbers_;
    std::unordered_map<std::string, constructor_place> constructors_;
    std::vector<std::string> variables_;
    std::unordered_map<std::string, std::size_t> variable_count_;
};

}  // namespace inlay

#endif
