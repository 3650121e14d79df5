// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_GRAPH_ATTRIBUTE_LIST_HPP
#define INLAY_GRAPH_ATTRIBUTE_LIST_HPP

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <inlay/core/fixed_string.hpp>
#include <inlay/graph/attribute.hpp>
#include <inlay/graph/call_view.hpp>
#include <inlay/graph/declared_attribute.hpp>

namespace inlay {

/// A list attribute with one entry per spatial axis, or two; where the node lacks it, `Otherwise` for each. A view of the node's attribute.
template <std::int64_t Otherwise>
struct axis_numbers {
    std::span<const std::int64_t> given;

    /// Entry i, or the default where fewer are given.
    [[nodiscard]] constexpr std::int64_t operator[](std::size_t i) const { return i < given.size() ? given[i] : Otherwise; }
    /// Whether every entry is this number. An attribute that is lacking has the default in all.
    [[nodiscard]] bool all(std::int64_t number) const {
        for (const std::int64_t v : given)
            if (v != number) return false;
        return !given.empty() || number == Otherwise;
    }
};

/// The member for an attribute that is a graph. A program has it as an operand, so that there is nothing to read.
struct graph_attribute {};

namespace detail {

template <class Member>
struct attribute_pointer;
template <class Value, class Class>
struct attribute_pointer<Value Class::*> {
    using value = Value;
    using owner = Class;
};
template <auto Member>
using attribute_owner = typename attribute_pointer<decltype(Member)>::owner;
template <auto Member>
using attribute_type = typename attribute_pointer<decltype(Member)>::value;

template <class T>
inline constexpr bool is_axis_numbers = false;
template <std::int64_t Otherwise>
inline constexpr bool is_axis_numbers<axis_numbers<Otherwise>> = true;

template <class T>
inline constexpr bool is_optional_attribute = false;
template <class T>
inline constexpr bool is_optional_attribute<std::optional<T>> = true;

template <class T>
inline constexpr bool can_be_an_attribute = std::same_as<T, std::int64_t> || std::same_as<T, bool> || std::same_as<T, double> ||
                                            std::same_as<T, std::string_view> || std::same_as<T, std::span<const std::int64_t>> ||
                                            std::same_as<T, std::span<const double>> || std::same_as<T, std::span<const std::string>> ||
                                            std::same_as<T, const tensor*> || std::same_as<T, graph_attribute> || is_axis_numbers<T>;
template <class T>
inline constexpr bool can_be_an_attribute<std::optional<T>> = can_be_an_attribute<T>;

template <class E>
[[nodiscard]] std::span<const E> list_of(const attribute_map& attributes, std::string_view name, std::span<const E> otherwise) {
    const auto* v = attributes.get<std::vector<E>>(name);
    return v == nullptr ? otherwise : std::span<const E>(v->data(), v->size());
}

/// The attribute's value as the member's type, or what stands in the member where the node lacks it or has it of another kind.
template <class T>
[[nodiscard]] T read_attribute(const attribute_map& attributes, std::string_view name, const T& otherwise) {
    if constexpr (is_optional_attribute<T>) {
        using inner = typename T::value_type;
        return attributes.find(name) == nullptr ? otherwise : T(read_attribute<inner>(attributes, name, inner{}));
    } else if constexpr (is_axis_numbers<T>) {
        return T{list_of<std::int64_t>(attributes, name, {})};
    } else if constexpr (std::same_as<T, bool>) {
        return attributes.integer(name, otherwise ? 1 : 0) != 0;
    } else if constexpr (std::same_as<T, std::int64_t>) {
        return attributes.integer(name, otherwise);
    } else if constexpr (std::same_as<T, double>) {
        const auto* whole = attributes.get<std::int64_t>(name);
        return whole != nullptr ? static_cast<double>(*whole) : attributes.number(name, otherwise);
    } else if constexpr (std::same_as<T, std::string_view>) {
        return attributes.text(name, otherwise);
    } else if constexpr (std::same_as<T, const tensor*>) {
        return attributes.get<tensor>(name);
    } else if constexpr (std::same_as<T, graph_attribute>) {
        return otherwise;
    } else {
        return list_of<typename T::value_type>(attributes, name, otherwise);
    }
}

/// The row of an attribute table for a member whose initialiser is `otherwise`.
template <class T>
[[nodiscard]] constexpr declared_attribute declare(std::string_view name, attribute_need need, const T& otherwise, int since = 0) {
    declared_attribute row;
    row.name = name;
    row.need = need;
    row.since = since;
    if constexpr (is_optional_attribute<T>) {
        row.form = declare(name, need, typename T::value_type{}).form;
        return row;
    } else if constexpr (is_axis_numbers<T>) {
        row.form = attribute_form::integers;
        row.per_axis = true;
        row.integer = otherwise[0];
    } else if constexpr (std::same_as<T, bool> || std::same_as<T, std::int64_t>) {
        row.form = attribute_form::integer;
        row.integer = otherwise;
    } else if constexpr (std::same_as<T, double>) {
        row.form = attribute_form::number;
        row.number = otherwise;
    } else if constexpr (std::same_as<T, std::string_view>) {
        row.form = attribute_form::text;
        row.text = otherwise;
    } else if constexpr (std::same_as<T, std::span<const std::int64_t>>) {
        row.form = attribute_form::integers;
        row.integers = otherwise;
        row.has_default = need == attribute_need::optional && !otherwise.empty();
        return row;
    } else {
        row.form = std::same_as<T, std::span<const double>>        ? attribute_form::numbers
                   : std::same_as<T, std::span<const std::string>> ? attribute_form::texts
                   : std::same_as<T, const tensor*>                ? attribute_form::tensor
                                                                   : attribute_form::graph;
        return row;
    }
    row.has_default = need == attribute_need::optional;
    return row;
}

}  // namespace detail

/// One attribute of an operator: the name that graphs use, and the member that stands for it, whose initialiser is the default. The
/// member is a std::int64_t, a bool (an integer that is not 0), a double, a std::string_view, a std::span of constant integers, doubles or
/// strings, a const tensor*, a `graph_attribute`, an `axis_numbers`, or a std::optional of one of these. Views are the node's, and live as
/// long as it. `Need`: whether a call may leave it out; `Since`: the version of the operator set that brought it, where the operator is
/// older.
template <fixed_string Name, auto Member, attribute_need Need = attribute_need::optional, int Since = 0>
struct attribute_member {
    using value_type = detail::attribute_type<Member>;
    static_assert(
        detail::can_be_an_attribute<value_type>,
        "inlay: an attribute is a std::int64_t, bool, double, std::string_view, std::span of constant integers, doubles or strings, const "
        "tensor*, graph_attribute, axis_numbers, or a std::optional of one of these");
    static constexpr std::string_view name = Name.view();
    static constexpr auto member = Member;
    static constexpr attribute_need need = Need;
    static constexpr int since = Since;
};

/// The attributes of an operator, as a type, as a target has its options:
/// `using attributes = attribute_list<attribute_member<"group", &conv_attributes::group>>;`
template <class... Members>
struct attribute_list {
    static constexpr std::size_t size = sizeof...(Members);

    template <class F>
    static constexpr void for_each(F&& f) {
        (f(Members{}), ...);
    }
    /// The name of the attribute that a member stands for; empty where it stands for none.
    template <auto Member>
    [[nodiscard]] static constexpr std::string_view name_of() {
        std::string_view name;
        for_each([&](auto one) {
            if constexpr (std::same_as<std::remove_cv_t<decltype(one.member)>, decltype(Member)>)
                if (one.member == Member) name = one.name;
        });
        return name;
    }
    /// Sets the members of a struct to the attributes of a node, as far as it has them.
    template <class C>
    static void read([[maybe_unused]] const attribute_map& attributes, [[maybe_unused]] C& all) {
        ((all.*Members::member = detail::read_attribute(attributes, Members::name, all.*Members::member)), ...);
    }
    /// The rows of the attribute table. `fresh`: a struct with the defaults.
    template <class C>
    [[nodiscard]] static constexpr std::array<declared_attribute, size> rows([[maybe_unused]] const C& fresh) {
        return {detail::declare(Members::name, Members::need, fresh.*Members::member, Members::since)...};
    }
};

/// A struct whose members are the attributes of one operator, or of several that share them: `operators` has their names with dialect,
/// `attributes` is an `attribute_list`. It is where names, types and defaults are declared; all others read them there. Models:
/// `conv_attributes` and the others of `ops/attributes`; a user's own.
template <class C>
concept operator_attributes = std::default_initializable<C> && requires {
    {std::span<const std::string_view>(C::operators)};
    { C::attributes::size } -> std::convertible_to<std::size_t>;
};

namespace detail {
template <auto Member>
struct require_attribute {
    using owner = attribute_owner<Member>;
    static_assert(
        operator_attributes<owner>,
        "inlay: a struct of attributes names its operators with `static constexpr std::string_view operators[]` and its members with "
        "`using attributes = attribute_list<...>`");
    [[nodiscard]] static constexpr bool is_listed() {
        if constexpr (operator_attributes<owner>)
            return !owner::attributes::template name_of<Member>().empty();
        else
            return true;  // that is told already
    }
    static_assert(is_listed(), "inlay: this member stands for no attribute; name it in the struct's `attributes`");
    static constexpr bool ok = operator_attributes<owner> && is_listed();
};
}  // namespace detail

/// The name of the attribute that a member stands for: `m.set(attribute_name<&cast_attributes::to>, ...)`. A member that is not listed does
/// not compile.
template <auto Member>
requires detail::require_attribute<Member>::ok inline constexpr std::string_view attribute_name =
    detail::attribute_owner<Member>::attributes::template name_of<Member>();

/// What a struct declares, as a table: `attribute_table(declared_attributes<conv_attributes>)`.
template <operator_attributes C>
inline constexpr auto declared_attributes = C::attributes::rows(C{});

/// The attributes of a node: each as it is given, or its default. Views in it are the node's. Time members · log attributes.
template <operator_attributes C>
[[nodiscard]] C read(const attribute_map& attributes) {
    C all;
    C::attributes::read(attributes, all);
    return all;
}
/// The same of a call: `read<conv_attributes>(call).group`.
template <operator_attributes C>
[[nodiscard]] C read(const call_view& call) {
    return read<C>(*call.attributes);
}

/// The attribute that a member stands for, of a node with these attributes; the default where the node lacks it.
/// `attr<&conv_attributes::group>(attributes)`
template <auto Member>
[[nodiscard]] detail::attribute_type<Member> attr(const attribute_map& attributes) {
    using owner = detail::attribute_owner<Member>;
    if constexpr (detail::require_attribute<Member>::ok)
        return detail::read_attribute(attributes, owner::attributes::template name_of<Member>(), owner{}.*Member);
    else
        return {};
}

}  // namespace inlay

#endif
