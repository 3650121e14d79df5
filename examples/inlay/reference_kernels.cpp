// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/reference/backend.hpp>

template const inlay::detail::on_eigen::operator_entry* inlay::detail::on_eigen::own_operator<void>(std::string_view);
template inlay::kernel inlay::detail::on_eigen::make_fused<void>(const inlay::region_view&, const inlay::detail::on_eigen::fused_plan&);
