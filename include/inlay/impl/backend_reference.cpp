// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <string_view>

#include <inlay/backend/reference/backend.hpp>
#include <inlay/backend/reference/fused.hpp>
#include <inlay/backend/reference/operators.hpp>

namespace inlay::detail::on_eigen {

template const operator_entry* own_operator<void>(std::string_view);
template kernel make_fused<void>(const region_view&, const fused_plan&);

}  // namespace inlay::detail::on_eigen

namespace inlay {

template const backend_vtable& backend_vtable_of<reference>();
template outcome<kernel> emit_composite(const reference&, const composite_job&);
template outcome<external_kernel> emit_composite(const reference&, const composite_job&, kernel_store&);

}  // namespace inlay
