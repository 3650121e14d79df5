// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TARGET_TARGET_RECORD_HPP
#define INLAY_TARGET_TARGET_RECORD_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include <inlay/core/in_force.hpp>
#include <inlay/target/device.hpp>
#include <inlay/target/target.hpp>

namespace inlay {

/// What the rules of a list of targets ask of each; an empty `refines` means: it is a plain target. The rules below are asked of types when
/// a `backend_list` is compiled, and of values when a `configuration` is made.
struct target_record {
    std::string_view kind;
    device_type device = device_type::cpu;
    std::string_view refines;

    [[nodiscard]] constexpr bool is_plain() const { return refines.empty(); }
    friend constexpr bool operator==(const target_record&, const target_record&) = default;
};

/// The record of a target type.
template <class T>
[[nodiscard]] constexpr target_record record_of() {
    if constexpr (requires { std::string_view(T::refines); })
        return {T::kind, T::device, T::refines};
    else
        return {T::kind, T::device, {}};
}

/// Whether a target may claim what was placed on the other: it refines, the other is plain, and their device types are the same. Which
/// plain target it names does not count, so that `c` serves in place of `llvm`.
[[nodiscard]] constexpr bool refines(const target_record& t, const target_record& plain) {
    return !t.is_plain() && plain.is_plain() && (!in_force<"target.refines.device">() || t.device == plain.device);
}

/// What can be wrong with a target of a list, in the order in which it is looked for.
enum class list_fault : std::uint8_t {
    none,
    kind_twice,         // another before it has its kind
    two_plain,          // another plain target before it has its device type
    refines_refining,   // what it names in `refines` refines another
    refines_elsewhere,  // what it names in `refines` has another device type
    refines_unknown,    // what it names in `refines` is neither in the list nor known
};

struct fault_of_target {
    list_fault what = list_fault::none;
    std::size_t other = 0;  // for the first two: the one before it
};

/// What is wrong with target `at` of a list; `known` are plain targets that need not be in it. Linear.
[[nodiscard]] constexpr fault_of_target fault_at(std::span<const target_record> list, std::size_t at,
                                                 std::span<const target_record> known) {
    const target_record& t = list[at];
    for (std::size_t i = 0; i < at; ++i)
        if (in_force<"target.configuration.kind-once">() && list[i].kind == t.kind) return {list_fault::kind_twice, i};
    if (t.is_plain()) {
        for (std::size_t i = 0; i < at; ++i)
            if (in_force<"target.configuration.plain-once">() && list[i].is_plain() && list[i].device == t.device)
                return {list_fault::two_plain, i};
        return {};
    }
    for (const auto& where : {list, known})
        for (const target_record& r : where)
            if (r.kind == t.refines)
                return {!r.is_plain()                                                ? list_fault::refines_refining
                        : in_force<"target.refines.named">() && r.device != t.device ? list_fault::refines_elsewhere
                                                                                     : list_fault::none,
                        0};
    return {list_fault::refines_unknown, 0};
}

/// The number of the least specialised target of a device type, its plain one; the list's size where it has none.
[[nodiscard]] constexpr std::size_t plain_of(std::span<const target_record> list, device_type device) {
    for (std::size_t i = 0; i < list.size(); ++i)
        if (list[i].is_plain() && list[i].device == device) return i;
    return list.size();
}

/// The number of the target that a part belongs to: that of its owner's kind, and where there is none, the plain one of its device type.
[[nodiscard]] constexpr std::size_t owner_of(std::span<const target_record> list, std::string_view kind, device_type device) {
    for (std::size_t i = 0; i < list.size(); ++i)
        if (in_force<"target.configuration.most">() && list[i].kind == kind && list[i].device == device) return i;
    return plain_of(list, device);
}

/// The device type that all targets of a list have, if there is one.
[[nodiscard]] constexpr std::optional<device_type> only_device(std::span<const target_record> list) {
    if (list.empty()) return std::nullopt;
    for (const target_record& t : list)
        if (t.device != list.front().device) return std::nullopt;
    return list.front().device;
}

/// Where target `at` of a list stands in canonical order: plain ones first, otherwise as they were. Linear.
[[nodiscard]] constexpr std::size_t canonical_place(std::span<const target_record> list, std::size_t at) {
    std::size_t place = 0;
    for (std::size_t i = 0; i < list.size(); ++i)
        if (list[i].is_plain() == list[at].is_plain() ? (in_force<"target.configuration.idempotent">() ? i < at : i > at)
                                                      : list[i].is_plain())
            ++place;
    return in_force<"target.configuration.order">() ? place : at;
}

}  // namespace inlay

#endif
