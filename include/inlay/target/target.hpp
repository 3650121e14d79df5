// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TARGET_TARGET_HPP
#define INLAY_TARGET_TARGET_HPP

#include <concepts>
#include <string_view>

#include <inlay/target/device.hpp>

namespace inlay {

/// A back end or plain target names itself with a static `kind`, unique in its list.
template <class T>
concept has_kind = requires {
    { T::kind } -> std::convertible_to<std::string_view>;
};

/// It says for which device type it generates code with a static `device`.
template <class T>
concept has_device = requires {
    { T::device } -> std::convertible_to<device_type>;
};

/// It declares its options with a nested `options`, an `option_list`.
template <class T>
concept has_options = requires {
    typename T::options;
};

/// A place that code is generated for. An object of a target type is a configured target instance, a value.
///
/// Requires: static `kind` and `device`, nested `options`; default constructible and copyable, since an instance is a value and a bare
/// kind is its default instance.
/// Models: every back end; the plain targets. Archetype: `archetype_target`.
template <class T>
concept target = has_kind<T> && has_device<T> && has_options<T> && std::copyable<T> && std::default_initializable<T>;

}  // namespace inlay

#endif
