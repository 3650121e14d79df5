// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CODEGEN_DECLARE_BY_DEFAULT_HPP
#define INLAY_CODEGEN_DECLARE_BY_DEFAULT_HPP

#include <inlay/codegen/declare/structural.hpp>
#include <inlay/codegen/kernel/device_memory.hpp>

namespace inlay {

/// Whether a back end takes part where no target is named. One that only plays a device does not, nor one that is structural, nor one that
/// says so by a static `by_name_alone`, since nobody runs its code for speed.
template <class B>
[[nodiscard]] consteval bool takes_part_by_default() {
    if constexpr (requires { B::by_name_alone; })
        return !B::by_name_alone && !is_simulated<B>() && !is_structural<B>();
    else
        return !is_simulated<B>() && !is_structural<B>();
}

/// The same of an instance, which says it itself where its type does not know.
template <class B>
[[nodiscard]] bool takes_part_by_default(const B& b) {
    if constexpr (requires { b.by_name_alone(); })
        return !b.by_name_alone();
    else
        return takes_part_by_default<B>();
}

}  // namespace inlay

#endif
