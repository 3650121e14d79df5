// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TARGET_OPTION_HPP
#define INLAY_TARGET_OPTION_HPP

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <inlay/core/fixed_string.hpp>
#include <inlay/core/nearest_name.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/target/option_value.hpp>
#include <inlay/target/quoting.hpp>

namespace inlay {

namespace detail {

template <class Class, class Member>
Member member_of(Member Class::*);

template <class T>
concept option_integer = std::integral<T> && !std::same_as<T, bool>;

template <class T>
inline constexpr bool is_option_list = false;
template <class T>
inline constexpr bool is_option_list<std::vector<T>> = std::same_as<T, std::string> || option_integer<T>;

/// The integer that bounds and counts are of: the member itself, or what stands in its list.
template <class T>
struct element_of {
    using type = T;
};
template <class T>
struct element_of<std::vector<T>> {
    using type = T;
};

template <class T>
[[nodiscard]] constexpr bool fits_option() {
    using element = typename element_of<T>::type;
    if constexpr (option_integer<element>)
        return std::in_range<std::int64_t>(std::numeric_limits<element>::max());
    else
        return true;
}

template <class T>
[[nodiscard]] constexpr option_type option_type_of() {
    if constexpr (std::same_as<T, bool>)
        return option_type::boolean;
    else if constexpr (std::integral<T>)
        return option_type::integer;
    else if constexpr (std::same_as<T, double>)
        return option_type::number;
    else if constexpr (std::same_as<T, std::string>)
        return option_type::text;
    else
        return std::same_as<T, std::vector<std::string>> ? option_type::texts : option_type::integers;
}

template <class T>
[[nodiscard]] constexpr integer_range range_of() {
    using element = typename element_of<T>::type;
    if constexpr (option_integer<element>)
        return {static_cast<std::int64_t>(std::numeric_limits<element>::min()),
                static_cast<std::int64_t>(std::numeric_limits<element>::max())};
    else
        return {};
}

/// Letters, digits and `_ . -`, and the first no dash: what needs no quotes and is no comma, blank or equals sign.
[[nodiscard]] constexpr bool is_option_name(std::string_view name) {
    for (const char c : name)
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '-')) return false;
    return !name.empty() && name.front() != '-';
}

}  // namespace detail

/// One option of a target: the name users write, the member that holds it, a line of help. Its default is the member's initialiser.
/// The member is a bool, an integer of at most 64 bits with a sign, a double, a std::string, or a std::vector of integers or of
/// std::string.
template <fixed_string Name, auto Member, fixed_string Doc>
struct option {
    using value_type = decltype(detail::member_of(Member));
    static_assert(std::is_arithmetic_v<value_type> ? std::integral<value_type> || std::same_as<value_type, double>
                                                   : std::same_as<value_type, std::string> || detail::is_option_list<value_type>,
                  "inlay: an option is a bool, an integer, a double, a std::string, or a std::vector of integers or of std::string");
    static_assert(detail::fits_option<value_type>(),
                  "inlay: an option's integers fit into 64 bits with a sign; take std::int64_t for std::uint64_t");
    static_assert(detail::is_option_name(Name.view()),
                  "inlay: an option's name has letters, digits, '_', '.' and '-', and does not begin with '-'");

    static constexpr std::string_view name = Name.view();
    static constexpr std::string_view doc = Doc.view();
    static constexpr auto member = Member;
    static constexpr option_type type = detail::option_type_of<value_type>();
    static constexpr integer_range range = detail::range_of<value_type>();

    /// What the option of an instance holds.
    template <class T>
    [[nodiscard]] static option_value value(const T& instance) {
        if constexpr (type == option_type::integer)
            return static_cast<std::int64_t>(instance.*Member);
        else if constexpr (type == option_type::integers)
            return std::vector<std::int64_t>((instance.*Member).begin(), (instance.*Member).end());
        else
            return instance.*Member;
    }

    /// Gives the option of an instance a value of its type and within its range.
    template <class T>
    static void assign(T& instance, const option_value& value) {
        if constexpr (type == option_type::integer) {
            instance.*Member = static_cast<value_type>(std::get<std::int64_t>(value));
        } else if constexpr (type == option_type::integers) {
            auto& list = instance.*Member;
            list.clear();
            for (const std::int64_t one : std::get<std::vector<std::int64_t>>(value))
                list.push_back(static_cast<typename value_type::value_type>(one));
        } else {
            instance.*Member = std::get<value_type>(value);
        }
    }
};

/// The options of a target, as a type: `using options = option_list<option<"threads", &onednn::threads, "how many threads">>;`
template <class... Options>
struct option_list {
    static constexpr std::size_t size = sizeof...(Options);

    template <class F>
    static constexpr void for_each(F&& f) {
        (f(Options{}), ...);
    }

private:
    [[nodiscard]] static constexpr bool names_are_unique() {
        std::string_view names[size + 1];
        std::size_t count = 0;
        bool unique = true;
        for_each([&](auto o) {
            for (std::size_t i = 0; i < count; ++i) unique = unique && names[i] != o.name;
            names[count++] = o.name;
        });
        return unique;
    }
    static_assert(names_are_unique(), "inlay: two options of one target have the same name; give each a name of its own");
};

/// Sets the option of that name on a target instance from one argument of a command line: a text as it is, without quotes; a list with
/// commas between. The error names the option, what it takes, or the nearest option that there is; the instance then stays as it was.
template <class T>
[[nodiscard]] outcome<void> set_option(T& instance, std::string_view name, std::string_view text) {
    std::vector<std::string_view> known;
    outcome<void> done;
    bool found = false;
    T::options::for_each([&](auto o) {
        known.push_back(o.name);
        if (o.name != name) return;
        found = true;
        if (auto read = read_argument(o.type, text, o.range))
            o.assign(instance, *read);
        else
            done = error{"option '-" + std::string(name) + "' of target '" + std::string(T::kind) + "' " + read.failure().message};
    });
    if (found) return done;
    return error{"target '" + std::string(T::kind) + "' has no option " + quoted_text(name) +
                 (known.empty() ? std::string(", nor any other") : name_hint(name, known))};
}

/// The instance as text that reads back exactly: its kind, then the options that differ from their defaults: `onednn -threads=2`.
template <class T>
[[nodiscard]] std::string target_text(const T& instance) {
    std::string text(T::kind);
    const T defaults{};
    T::options::for_each([&](auto o) {
        const option_value value = o.value(instance);
        if (!same_value(value, o.value(defaults))) text += " -" + std::string(o.name) + "=" + written_value(value);
    });
    return text;
}

/// Calls `f(name, text)` for each option of an instance: what `set_option` takes to make a fresh one equal.
template <class T, class F>
void for_each_argument(const T& instance, F&& f) {
    T::options::for_each([&](auto o) { f(o.name, argument_text(o.value(instance))); });
}

/// A configured target whose options are known while the program runs: it sets them and tells them itself.
template <class T>
concept configured_by_value = requires(T& t, const T& c, std::string_view word) {
    { t.set_option(word, word) } -> std::same_as<outcome<void>>;
    { c.text() } -> std::same_as<std::string>;
};
template <configured_by_value T>
[[nodiscard]] outcome<void> set_option(T& instance, std::string_view name, std::string_view text) {
    return instance.set_option(name, text);
}
template <configured_by_value T, class F>
void for_each_argument(const T& instance, F&& f) {
    instance.for_each_argument(f);
}
template <configured_by_value T>
[[nodiscard]] std::string target_text(const T& instance) {
    return instance.text();
}

}  // namespace inlay

#endif
