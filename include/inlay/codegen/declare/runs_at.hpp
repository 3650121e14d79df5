// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CODEGEN_DECLARE_RUNS_AT_HPP
#define INLAY_CODEGEN_DECLARE_RUNS_AT_HPP

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include <inlay/codegen/kernel/device_memory.hpp>
#include <inlay/target/format.hpp>
#include <inlay/target/placement.hpp>

namespace inlay {

/// How many devices of its type a back end runs on, numbered from 0: what its `devices()` says; one where it says nothing. All that a
/// program runs on a back end runs on one of them.
template <class B>
[[nodiscard]] std::int32_t device_count(const B& b) {
    if constexpr (requires { b.devices(); })
        return static_cast<std::int32_t>(b.devices());
    else
        return 1;
}

/// The memory that a back end's device has under that name, as placements name it. The main memory of who has none of its own is `global`.
template <class B>
[[nodiscard]] std::optional<memory_scope> memory_named(const B& b, std::string_view name) {
    std::optional<memory_scope> found;
    if constexpr (owns_memory<B>) {
        for (const owned_memory& m : b.memories())
            if (!found && m.name == name) found = m.scope;
    } else if (name == "global") {
        found = memory_scope{b.device, 0};
    }
    return found;
}

/// Whether a back end runs at a place what leaves results in these formats. The place's device type has to be its own, its number that of a
/// device which it has. A plain target says no more than its device type, any other one names the back end. A memory scope is where all
/// results have to stand. What a place leaves open is anywhere.
template <class B>
[[nodiscard]] bool runs_at(const B& b, const placement& where, std::span<const format> results) {
    if (where.device && *where.device != b.device) return false;
    if (where.id != placement::any_id && (where.id < 0 || where.id >= device_count(b))) return false;
    for (const target_instance& t : where.target)
        if (t.device != b.device || (!t.is_plain() && t.kind != std::string_view(b.kind))) return false;
    if (where.scope.empty()) return true;
    const std::optional<memory_scope> scope = memory_named(b, where.scope);
    if (!scope) return false;
    for (const format& f : results)
        if (f.scope != *scope) return false;
    return true;
}

}  // namespace inlay

#endif
