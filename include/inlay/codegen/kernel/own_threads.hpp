// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CODEGEN_KERNEL_OWN_THREADS_HPP
#define INLAY_CODEGEN_KERNEL_OWN_THREADS_HPP

#include <string_view>

namespace inlay {

/// Whether a back end's kernels of a composite run on threads of a library's own, beside those of a run's executor: what its member of the
/// same name says; false where it has none.
template <class Backend>
[[nodiscard]] bool wakes_own_threads(const Backend& b, std::string_view composite) {
    if constexpr (requires { b.wakes_own_threads(composite); })
        return b.wakes_own_threads(composite);
    else
        return false;
}

}  // namespace inlay

#endif
