// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CANDIDATE_OPERATOR_ATTRIBUTES_HPP
#define INLAY_CANDIDATE_OPERATOR_ATTRIBUTES_HPP

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include <inlay/candidate/region_view.hpp>
#include <inlay/core/fixed_string.hpp>
#include <inlay/graph/attribute.hpp>

namespace inlay {

/// A list attribute with one entry per spatial axis, or two; where the node lacks it, `Otherwise` for each. A view of the node's attribute.
template <std::int64_t Otherwise>
struct axis_numbers {
    std::span<const std::int64_t> given;

    /// Entry i, or the default where fewer are given.
    [[nodiscard]] std::int64_t operator[](std::size_t i) const { return i < given.size() ? given[i] : Otherwise; }
    /// Whether every entry is this number. An attribute that is lacking has the default in all.
    [[nodiscard]] bool all(std::int64_t number) const {
        for (const std::int64_t v : given)
            if (v != number) return false;
        return !given.empty() || number == Otherwise;
    }
};

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
inline constexpr bool can_be_an_attribute =
    std::same_as<T, std::int64_t> || std::same_as<T, bool> || std::same_as<T, double> || std::same_as<T, std::string_view> ||
    std::same_as<T, std::span<const std::int64_t>> || std::same_as<T, std::span<const double>> || std::same_as<T, const tensor*> || is_axis_numbers<T>;
template <class T>
inline constexpr bool can_be_an_attribute<std::optional<T>> = can_be_an_attribute<T>;

/// The attribute's value as the member's type, or what stands in the member where the node lacks it or has it of another kind.
template <class T>
[[nodiscard]] T read_attribute(const attribute_map& attributes, std::string_view name, const T& otherwise) {
    const auto list = [&]<class E>(const E*) {
        const auto* v = attributes.get<std::vector<E>>(name);
        return v == nullptr ? std::span<const E>() : std::span<const E>(v->data(), v->size());
    };
    if constexpr (is_optional_attribute<T>) {
        using inner = typename T::value_type;
        return attributes.find(name) == nullptr ? otherwise : T(read_attribute<inner>(attributes, name, inner{}));
    } else if constexpr (is_axis_numbers<T>) {
        return T{list(static_cast<const std::int64_t*>(nullptr))};
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
    } else {
        return list(static_cast<const typename T::value_type*>(nullptr));
    }
}

}  // namespace detail

/// One attribute of an operator: the name that graphs use, and the member that stands for it, whose initialiser is the default. The
/// member is a std::int64_t, a bool (an integer that is not 0), a double, a std::string_view, a std::span of constant integers or doubles,
/// a const tensor*, an `axis_numbers`, or a std::optional of one of these. Views are the node's, and live as long as it.
template <fixed_string Name, auto Member>
struct attribute_member {
    using value_type = detail::attribute_type<Member>;
    static_assert(detail::can_be_an_attribute<value_type>,
                  "inlay: an attribute is a std::int64_t, bool, double, std::string_view, std::span of constant integers or doubles, const tensor*, "
                  "axis_numbers, or a std::optional of one of these");
    static constexpr std::string_view name = Name.view();
    static constexpr auto member = Member;
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
};

/// A struct whose members are the attributes of one operator, or of several that share them: `operators` has their names with dialect,
/// `attributes` is an `attribute_list`. Models: `conv_attributes` and the others of `ops/onnx_attributes.hpp`; a user's own.
template <class C>
concept operator_attributes = std::default_initializable<C> && requires {
    { std::span<const std::string_view>(C::operators) };
    { C::attributes::size } -> std::convertible_to<std::size_t>;
};

namespace detail {
template <auto Member>
struct require_attribute {
    using owner = attribute_owner<Member>;
    static_assert(operator_attributes<owner>,
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
/// The same of a value of a region. Precondition: it is a call of one of the struct's operators; a predicate asks by `attr` of a
/// `match_view`, where the compiler sees to that.
template <auto Member>
[[nodiscard]] detail::attribute_type<Member> attr(const region_value& call) {
    return attr<Member>(*call.attributes);
}

/// All attributes of a node at once. Views in it are the node's.
template <operator_attributes C>
[[nodiscard]] C attributes_as(const attribute_map& attributes) {
    C all;
    C::attributes::for_each([&](auto one) { all.*one.member = detail::read_attribute(attributes, one.name, all.*one.member); });
    return all;
}

}  // namespace inlay

#endif
