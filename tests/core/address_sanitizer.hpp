// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_CORE_ADDRESS_SANITIZER_HPP
#define INLAY_TESTS_CORE_ADDRESS_SANITIZER_HPP

/// Whether AddressSanitizer takes the allocator's place in this program: it keeps what is freed for a while, and takes its memory from
/// elsewhere, so that a test of how much memory something takes says nothing. g++ and clang say it differently.
#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool has_address_sanitizer = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
inline constexpr bool has_address_sanitizer = true;
#else
inline constexpr bool has_address_sanitizer = false;
#endif
#else
inline constexpr bool has_address_sanitizer = false;
#endif

#endif
