// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CORE_GUARDED_HPP
#define INLAY_CORE_GUARDED_HPP

#include <string>
#include <string_view>
#include <type_traits>

#if defined(__cpp_exceptions)
#include <exception>
#endif

#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>

namespace inlay {

namespace detail {
template <class T>
struct outcome_of {
    using type = outcome<T>;
};
template <class T>
struct outcome_of<outcome<T>> {
    using type = outcome<T>;
};
}  // namespace detail

/// What somebody else's code gives; where it throws, an error that says so: `WHO threw an exception while it DID: REASON`. Without
/// exceptions in the language it is called, and no more.
template <class F>
[[nodiscard]] typename detail::outcome_of<std::invoke_result_t<F&>>::type guarded([[maybe_unused]] std::string_view who,
                                                                                  [[maybe_unused]] std::string_view did, F&& call) {
    const auto run = [&]() -> typename detail::outcome_of<std::invoke_result_t<F&>>::type {
        if constexpr (std::is_void_v<std::invoke_result_t<F&>>) {
            call();
            return {};
        } else {
            return call();
        }
    };
#if defined(__cpp_exceptions)
    try {
        return run();
    } catch (const std::exception& e) {
        return error{std::string(who) + " threw an exception while it " + std::string(did) + ": " + escaped_text(e.what(), 400)};
    } catch (...) {
        return error{std::string(who) + " threw something while it " + std::string(did)};
    }
#else
    return run();
#endif
}

}  // namespace inlay

#endif
