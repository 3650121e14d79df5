// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_CUDA_HEADERS_CALLED_ALIKE_HPP
#define INLAY_TESTS_CUDA_HEADERS_CALLED_ALIKE_HPP

#include <type_traits>

namespace cuda_headers_test {

/// Whether a value of one type is passed as one of the other is: both addresses, or both numbers of one size and kind, enumerations being
/// integers.
template <class Ours, class Theirs>
constexpr bool is_passed_alike =
    sizeof(Ours) == sizeof(Theirs) && std::is_pointer_v<Ours> == std::is_pointer_v<Theirs>&& std::is_floating_point_v<Ours> ==
                                          std::is_floating_point_v<Theirs>;

/// Whether a function that was declared by hand is called as the real one is.
template <class Ours, class Theirs>
constexpr bool is_called_alike = false;
template <class R, class... P, class Q, class... O>
requires(sizeof...(P) == sizeof...(O)) constexpr bool is_called_alike<R (*)(P...), Q (*)(O...)> = is_passed_alike<R, Q> &&
                                                                                                  (is_passed_alike<P, O> && ...);

static_assert(is_called_alike<int (*)(void*, int), unsigned (*)(const char*, unsigned)>);
static_assert(!is_called_alike<int (*)(void*, int), int (*)(void*, void*)>);
static_assert(!is_called_alike<int (*)(void*, int), int (*)(void*)>);
static_assert(!is_called_alike<int (*)(float), int (*)(int)>);

}  // namespace cuda_headers_test

#endif
