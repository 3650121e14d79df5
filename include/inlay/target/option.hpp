// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TARGET_OPTION_HPP
#define INLAY_TARGET_OPTION_HPP

#include <charconv>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>

#include <inlay/core/fixed_string.hpp>
#include <inlay/core/outcome.hpp>

namespace inlay {

/// One option of a target: the name users write, the member that holds it, a line of help. Its default is the member's initialiser.
/// The member is a bool, an integer, a double or a std::string.
template <fixed_string Name, auto Member, fixed_string Doc>
struct option {
    static constexpr std::string_view name = Name.view();
    static constexpr std::string_view doc = Doc.view();
    static constexpr auto member = Member;
};

/// The options of a target, as a type: `using options = option_list<option<"threads", &onednn::threads, "how many threads">>;`
template <class... Options>
struct option_list {
    static constexpr std::size_t size = sizeof...(Options);

    template <class F>
    static constexpr void for_each(F&& f) {
        (f(Options{}), ...);
    }
};

namespace detail {

template <class T>
[[nodiscard]] constexpr std::string_view option_type_name() {
    if constexpr (std::same_as<T, bool>)
        return "bool";
    else if constexpr (std::integral<T>)
        return "int";
    else if constexpr (std::floating_point<T>)
        return "float";
    else
        return "string";
}

template <class T>
[[nodiscard]] std::string option_text(const T& value) {
    if constexpr (std::same_as<T, bool>) {
        return value ? "true" : "false";
    } else if constexpr (std::is_arithmetic_v<T>) {
        char digits[40];
        const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
        return {digits, end};
    } else {
        return value;
    }
}

template <class T>
[[nodiscard]] bool option_parse(std::string_view text, T& value) {
    if constexpr (std::same_as<T, bool>) {
        if (text != "true" && text != "false" && text != "1" && text != "0") return false;
        value = text == "true" || text == "1";
        return true;
    } else if constexpr (std::is_arithmetic_v<T>) {
        T read{};
        const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), read);
        if (fault != std::errc() || end != text.data() + text.size()) return false;
        value = read;
        return true;
    } else {
        value = text;
        return true;
    }
}

}  // namespace detail

/// Sets the option of that name on a target instance from its text.
template <class T>
[[nodiscard]] outcome<void> set_option(T& instance, std::string_view name, std::string_view text) {
    std::string known;
    outcome<void> done;
    bool found = false;
    T::options::for_each([&](auto o) {
        known += (known.empty() ? "" : ", ") + std::string(o.name);
        if (o.name != name) return;
        found = true;
        auto& member = instance.*o.member;
        using member_type = std::remove_reference_t<decltype(member)>;
        if (!detail::option_parse(text, member))
            done = error{"option '-" + std::string(name) + "' of target '" + std::string(T::kind) + "' takes a value of type " +
                         std::string(detail::option_type_name<member_type>()) + ", not '" + std::string(text) + "'"};
    });
    if (found) return done;
    return error{"target '" + std::string(T::kind) + "' has no option '" + std::string(name) + "'" + (known.empty() ? ", nor any other" : "; it has " + known)};
}

/// The instance as text that reads back: its kind, then the options that differ from their defaults: `onednn -threads=2`.
template <class T>
[[nodiscard]] std::string target_text(const T& instance) {
    std::string text(T::kind);
    const T defaults{};
    T::options::for_each([&](auto o) {
        if (instance.*o.member != defaults.*o.member)
            text += " -" + std::string(o.name) + "=" + detail::option_text(instance.*o.member);
    });
    return text;
}

}  // namespace inlay

#endif
