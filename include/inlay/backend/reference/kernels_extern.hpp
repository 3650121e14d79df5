// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_REFERENCE_KERNELS_EXTERN_HPP
#define INLAY_BACKEND_REFERENCE_KERNELS_EXTERN_HPP

#include <string_view>

#include <inlay/backend/reference/fused.hpp>
#include <inlay/backend/reference/operators.hpp>

namespace inlay::detail::on_eigen {

/// A file that includes this header does not compile the reference back end's kernels, though it emits them: one file of the program
/// does that, with the instruction sets that it wants. It includes `backend.hpp` and says
///
///     template const inlay::detail::on_eigen::operator_entry* inlay::detail::on_eigen::own_operator<void>(std::string_view);
///     template inlay::kernel inlay::detail::on_eigen::make_fused<void>(const inlay::region_view&, const
///     inlay::detail::on_eigen::fused_plan&);
extern template const operator_entry* own_operator<void>(std::string_view);
extern template kernel make_fused<void>(const region_view&, const fused_plan&);

}  // namespace inlay::detail::on_eigen

#endif
