// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/runtime/convert.ipp>
#include <inlay/runtime/simulate/compile_registers.ipp>
#include <inlay/runtime/simulate/simulate.ipp>

#include <inlay/runtime/transpose.hpp>

template void inlay::detail::transpose<float>(const float*, std::size_t, float*, std::size_t, std::size_t, std::size_t);
