// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PATTERN_DSL_DSL_GUARD_HPP
#define INLAY_PATTERN_DSL_DSL_GUARD_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include <inlay/pattern/dsl/dsl.hpp>

namespace inlay::dsl {

/// A list of integers, and one of texts, as attribute values: `attribute<"strides", ints<1, 1>{}>`.
template <std::int64_t... Values>
struct ints {
    static constexpr std::array<std::int64_t, sizeof...(Values)> values{Values...};
};
template <fixed_string... Values>
struct texts {
    static constexpr std::array<std::string_view, sizeof...(Values)> values{Values.view()...};
};
/// A number that is not whole, given by a callable without captures: `attribute<"alpha", number{[] { return 0.2; }}>`.
template <class F>
struct number {
    constexpr explicit number(F) {}
    static constexpr std::array<double, 1> values{F{}()};
};
/// An attribute that is there, whatever its value, and one that is not.
struct present {};
struct absent {};

}  // namespace inlay::dsl

namespace inlay::detail {

template <class V>
inline constexpr bool is_ints_value = false;
template <std::int64_t... Values>
inline constexpr bool is_ints_value<dsl::ints<Values...>> = true;
template <class V>
inline constexpr bool is_texts_value = false;
template <fixed_string... Values>
inline constexpr bool is_texts_value<dsl::texts<Values...>> = true;
template <class V>
inline constexpr bool is_number_value = false;
template <class F>
inline constexpr bool is_number_value<dsl::number<F>> = true;

template <class V>
concept text_value = requires(const V& v) {
    { v.view() } -> std::same_as<std::string_view>;
};

template <fixed_string Name, auto Value>
struct static_guard {
    using value_type = std::remove_cvref_t<decltype(Value)>;
    // The text of a template argument lives as long as the program.
    static constexpr value_type value = Value;
    static constexpr auto integer() {
        std::array<std::int64_t, 1> one{};
        if constexpr (std::is_integral_v<value_type>) one[0] = static_cast<std::int64_t>(Value);
        return one;
    }
    static constexpr auto text() {
        std::array<std::string_view, 1> one{};
        if constexpr (text_value<value_type>) one[0] = value.view();
        return one;
    }
    static constexpr std::array<std::int64_t, 1> integers = integer();
    static constexpr std::array<std::string_view, 1> texts = text();

    static constexpr attribute_guard guard() {
        using form = attribute_guard::form;
        attribute_guard g{Name.view()};
        if constexpr (std::is_integral_v<value_type>) {
            g.kind = form::integer;
            g.integers = integers;
        } else if constexpr (text_value<value_type>) {
            g.kind = form::text;
            g.texts = texts;
        } else if constexpr (is_ints_value<value_type>) {
            g.kind = form::integers;
            g.integers = value_type::values;
        } else if constexpr (is_texts_value<value_type>) {
            g.kind = form::texts;
            g.texts = value_type::values;
        } else if constexpr (is_number_value<value_type>) {
            g.kind = form::number;
            g.numbers = value_type::values;
        } else if constexpr (std::is_same_v<value_type, dsl::absent>) {
            g.kind = form::absent;
        } else {
            static_assert(std::is_same_v<value_type, dsl::present>,
                          "inlay: the value of a dsl::attribute is a whole number, a fixed_string, ints<...>{}, texts<...>{}, number{...}, "
                          "present{} or absent{}");
        }
        return g;
    }
    static constexpr std::array<attribute_guard, 1> list{guard()};
};

}  // namespace inlay::detail

namespace inlay::dsl {

/// What matches the pattern and has an attribute of that value.
template <fixed_string Name, auto Value, pattern P>
struct attribute_pattern : detail::term_over<P> {
    static constexpr term_id write(term_writer& w) {
        pattern_term t;
        t.kind = term_kind::attributes;
        t.guards = detail::static_guard<Name, Value>::list;
        return w.add(t, {P::write(w)});
    }
};
template <fixed_string Name, auto Value>
struct attribute_word : detail::single_word<attribute_word<Name, Value>> {
    template <class P>
    using of = attribute_pattern<Name, Value, P>;
};
/// `attribute<"group", 1>(op<"onnx.Conv">)`; `attribute<"strides", ints<1, 1>{}>(p)`; `attribute<"auto_pad", fixed_string("VALID")>(p)`.
template <fixed_string Name, auto Value>
inline constexpr attribute_word<Name, Value> attribute{};

/// On the right side of a rule: a call with all attributes of the node that a capture is bound to:
/// `attributes_of<"conv">(op<"onnx.Conv">(x, w))`.
template <fixed_string Name, pattern P>
struct attributes_of_pattern : detail::term_over<P> {
    static constexpr std::array<attribute_guard, 1> guards{attribute_guard{Name.view(), attribute_guard::form::like}};

    static constexpr term_id write(term_writer& w) {
        pattern_term t;
        t.kind = term_kind::attributes;
        t.guards = guards;
        return w.add(t, {P::write(w)});
    }
};
template <fixed_string Name>
struct attributes_of_word : detail::single_word<attributes_of_word<Name>> {
    template <class P>
    using of = attributes_of_pattern<Name, P>;
};
template <fixed_string Name>
inline constexpr attributes_of_word<Name> attributes_of{};

/// Any extent, and, last in a shape, any further ones.
inline constexpr std::int64_t any_extent = -1;
inline constexpr std::int64_t rest_of_shape = -2;

/// What matches the pattern and is a tensor of that element type; `element_type::none`: of any. With `Shaped`, of that shape.
template <element_type Element, bool Shaped, class Extents, pattern P>
struct type_pattern;
template <element_type Element, bool Shaped, std::int64_t... Extents, pattern P>
struct type_pattern<Element, Shaped, ints<Extents...>, P> : detail::term_over<P> {
    static constexpr std::size_t named = (std::size_t{0} + ... + (Extents == rest_of_shape ? 0u : 1u));
    static constexpr std::array<extent_guard, sizeof...(Extents)> extents{extent_guard{Extents}...};
    static constexpr type_guard guard{type_guard::form::tensor, Element, Shaped, named != sizeof...(Extents), {extents.data(), named}};

    static constexpr term_id write(term_writer& w) {
        pattern_term t;
        t.kind = term_kind::type;
        t.type = &guard;
        return w.add(t, {P::write(w)});
    }
};
template <element_type Element, bool Shaped, std::int64_t... Extents>
struct type_word : detail::single_word<type_word<Element, Shaped, Extents...>> {
    template <class P>
    using of = type_pattern<Element, Shaped, ints<Extents...>, P>;
};
/// `of_element<element_type::float32>(p)`; `of_shape<1, any_extent, rest_of_shape>(p)`; `of_type<element_type::float32, 1, 3>(p)`.
template <element_type Element>
inline constexpr type_word<Element, false> of_element{};
template <std::int64_t... Extents>
inline constexpr type_word<element_type::none, true, Extents...> of_shape{};
template <element_type Element, std::int64_t... Extents>
inline constexpr type_word<Element, true, Extents...> of_type{};

/// A constant of one element with this value: `literal<2>`, `literal_of([] { return 0.5; })`.
template <class F>
struct literal_pattern : detail::term_over<> {
    static constexpr term_id write(term_writer& w) {
        pattern_term t;
        t.kind = term_kind::literal;
        t.number = static_cast<double>(F{}());
        return w.add(t);
    }
};
template <class F>
[[nodiscard]] constexpr literal_pattern<F> literal_of(F) {
    return {};
}
template <std::int64_t Value>
struct whole_number {
    constexpr double operator()() const { return static_cast<double>(Value); }
};
template <std::int64_t Value>
inline constexpr literal_pattern<whole_number<Value>> literal{};

}  // namespace inlay::dsl

#endif
