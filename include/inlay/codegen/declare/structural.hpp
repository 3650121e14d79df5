// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CODEGEN_DECLARE_STRUCTURAL_HPP
#define INLAY_CODEGEN_DECLARE_STRUCTURAL_HPP

namespace inlay {

/// Whether a back end, by a static `is_structural`, takes what holds a program together and no other back end can take, branches and loops:
/// it is no contender, and takes part beside whoever else decides.
template <class B>
[[nodiscard]] consteval bool is_structural() {
    if constexpr (requires { B::is_structural; })
        return B::is_structural;
    else
        return false;
}

}  // namespace inlay

#endif
