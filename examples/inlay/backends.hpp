// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_EXAMPLES_INLAY_BACKENDS_HPP
#define INLAY_EXAMPLES_INLAY_BACKENDS_HPP

#include <span>
#include <vector>

#include <inlay/backend/accel/backend.hpp>
#include <inlay/backend/control_flow/backend.hpp>
#include <inlay/backend/cpu_loops/backend.hpp>
#include <inlay/backend/cublas_lt/backend.hpp>
#include <inlay/backend/cuda_cxx/backend.hpp>
#include <inlay/backend/cudnn/backend.hpp>
#include <inlay/backend/cutlass/backend.hpp>
#include <inlay/backend/plugin/loaded_backend.hpp>
#include <inlay/backend/portable_c/backend.hpp>
#include <inlay/backend/reference/backend.hpp>
#include <inlay/backend/simulated_device/backend.hpp>
#include <inlay/backend/vector_dsp/backend.hpp>
#include <inlay/candidate/backend_vtable.hpp>
#include <inlay/codegen/emit/emit_composite.hpp>
#include <inlay/codegen/emit/emit_together.hpp>
#include <inlay/codegen/kernel/kernel_store.hpp>
#include <inlay/codegen/list/backend_list.hpp>
#include <inlay/codegen/list/extended_list.hpp>
#if INLAY_WITH_CPU_SIMD
#include <inlay/backend/cpu_simd/backend.hpp>
#endif
#if INLAY_WITH_ONEDNN
#include <inlay/backend/onednn/backend.hpp>
#endif
#if INLAY_WITH_OPENBLAS
#include <inlay/backend/openblas/backend.hpp>
#endif
#if INLAY_WITH_XNNPACK
#include <inlay/backend/xnnpack/backend.hpp>
#endif

// What back ends say of candidates, and the code they make, is compiled in backends.cpp alone.
extern template const inlay::backend_vtable& inlay::backend_vtable_of<inlay::cpu_loops>();
extern template inlay::outcome<inlay::kernel> inlay::emit_composite(const inlay::cpu_loops&, const inlay::composite_job&);
extern template inlay::outcome<std::vector<inlay::kernel>> inlay::emit_regions(const inlay::cpu_loops&,
                                                                               std::span<const inlay::region_view>);
extern template inlay::outcome<inlay::external_kernel> inlay::emit_composite(const inlay::cpu_loops&, const inlay::composite_job&,
                                                                             inlay::kernel_store&);
extern template const inlay::backend_vtable& inlay::backend_vtable_of<inlay::cublas_lt>();
extern template inlay::outcome<inlay::kernel> inlay::emit_composite(const inlay::cublas_lt&, const inlay::composite_job&);
extern template inlay::outcome<inlay::external_kernel> inlay::emit_composite(const inlay::cublas_lt&, const inlay::composite_job&,
                                                                             inlay::kernel_store&);
extern template const inlay::backend_vtable& inlay::backend_vtable_of<inlay::cudnn>();
extern template inlay::outcome<inlay::kernel> inlay::emit_composite(const inlay::cudnn&, const inlay::composite_job&);
extern template inlay::outcome<inlay::external_kernel> inlay::emit_composite(const inlay::cudnn&, const inlay::composite_job&,
                                                                             inlay::kernel_store&);
extern template const inlay::backend_vtable& inlay::backend_vtable_of<inlay::cutlass>();
extern template inlay::outcome<inlay::kernel> inlay::emit_composite(const inlay::cutlass&, const inlay::composite_job&);
extern template inlay::outcome<inlay::external_kernel> inlay::emit_composite(const inlay::cutlass&, const inlay::composite_job&,
                                                                             inlay::kernel_store&);
extern template const inlay::backend_vtable& inlay::backend_vtable_of<inlay::cuda_cxx>();
extern template inlay::outcome<inlay::kernel> inlay::emit_composite(const inlay::cuda_cxx&, const inlay::composite_job&);
extern template inlay::outcome<std::vector<inlay::kernel>> inlay::emit_regions(const inlay::cuda_cxx&, std::span<const inlay::region_view>);
extern template inlay::outcome<inlay::external_kernel> inlay::emit_composite(const inlay::cuda_cxx&, const inlay::composite_job&,
                                                                             inlay::kernel_store&);
extern template const inlay::backend_vtable& inlay::backend_vtable_of<inlay::control_flow>();
extern template inlay::outcome<inlay::kernel> inlay::emit_composite(const inlay::control_flow&, const inlay::composite_job&);
extern template inlay::outcome<inlay::external_kernel> inlay::emit_composite(const inlay::control_flow&, const inlay::composite_job&,
                                                                             inlay::kernel_store&);
extern template const inlay::backend_vtable& inlay::backend_vtable_of<inlay::accel>();
extern template inlay::outcome<inlay::kernel> inlay::emit_composite(const inlay::accel&, const inlay::composite_job&);
extern template inlay::outcome<inlay::external_kernel> inlay::emit_composite(const inlay::accel&, const inlay::composite_job&,
                                                                             inlay::kernel_store&);
extern template const inlay::backend_vtable& inlay::backend_vtable_of<inlay::vector_dsp>();
extern template inlay::outcome<inlay::kernel> inlay::emit_composite(const inlay::vector_dsp&, const inlay::composite_job&);
extern template inlay::outcome<inlay::external_kernel> inlay::emit_composite(const inlay::vector_dsp&, const inlay::composite_job&,
                                                                             inlay::kernel_store&);
extern template const inlay::backend_vtable& inlay::backend_vtable_of<inlay::portable_c>();
extern template inlay::outcome<inlay::kernel> inlay::emit_composite(const inlay::portable_c&, const inlay::composite_job&);
extern template inlay::outcome<std::vector<inlay::kernel>> inlay::emit_regions(const inlay::portable_c&,
                                                                               std::span<const inlay::region_view>);
extern template inlay::outcome<inlay::external_kernel> inlay::emit_composite(const inlay::portable_c&, const inlay::composite_job&,
                                                                             inlay::kernel_store&);
extern template const inlay::backend_vtable& inlay::backend_vtable_of<inlay::simulated_device>();
extern template inlay::outcome<inlay::kernel> inlay::emit_composite(const inlay::simulated_device&, const inlay::composite_job&);
extern template inlay::outcome<inlay::external_kernel> inlay::emit_composite(const inlay::simulated_device&, const inlay::composite_job&,
                                                                             inlay::kernel_store&);
#if INLAY_WITH_CPU_SIMD
extern template const inlay::backend_vtable& inlay::backend_vtable_of<inlay::cpu_simd>();
extern template inlay::outcome<inlay::kernel> inlay::emit_composite(const inlay::cpu_simd&, const inlay::composite_job&);
extern template inlay::outcome<inlay::external_kernel> inlay::emit_composite(const inlay::cpu_simd&, const inlay::composite_job&,
                                                                             inlay::kernel_store&);
#endif
#if INLAY_WITH_ONEDNN
extern template const inlay::backend_vtable& inlay::backend_vtable_of<inlay::onednn>();
extern template inlay::outcome<inlay::kernel> inlay::emit_composite(const inlay::onednn&, const inlay::composite_job&);
extern template inlay::outcome<inlay::external_kernel> inlay::emit_composite(const inlay::onednn&, const inlay::composite_job&,
                                                                             inlay::kernel_store&);
#endif
#if INLAY_WITH_XNNPACK
extern template const inlay::backend_vtable& inlay::backend_vtable_of<inlay::xnnpack>();
extern template inlay::outcome<inlay::kernel> inlay::emit_composite(const inlay::xnnpack&, const inlay::composite_job&);
extern template inlay::outcome<inlay::external_kernel> inlay::emit_composite(const inlay::xnnpack&, const inlay::composite_job&,
                                                                             inlay::kernel_store&);
#endif
#if INLAY_WITH_OPENBLAS
extern template const inlay::backend_vtable& inlay::backend_vtable_of<inlay::openblas>();
extern template inlay::outcome<inlay::kernel> inlay::emit_composite(const inlay::openblas&, const inlay::composite_job&);
extern template inlay::outcome<inlay::external_kernel> inlay::emit_composite(const inlay::openblas&, const inlay::composite_job&,
                                                                             inlay::kernel_store&);
#endif

namespace inlay {
struct loaded_folders;
}

namespace tool {

/// Back ends of which a list is put together.
template <class... Backends>
struct back_ends {};
template <class... First, class... Then>
back_ends<First..., Then...> operator+(back_ends<First...>, back_ends<Then...>);
template <class... Backends>
inlay::backend_list<Backends...> list_of(back_ends<Backends...>);

#if INLAY_WITH_ONEDNN
using onednn_if_found = back_ends<inlay::onednn>;
#else
using onednn_if_found = back_ends<>;
#endif
#if INLAY_WITH_CPU_SIMD
using cpu_simd_if_found = back_ends<inlay::cpu_simd>;
#else
using cpu_simd_if_found = back_ends<>;
#endif
#if INLAY_WITH_XNNPACK
using xnnpack_if_found = back_ends<inlay::xnnpack>;
#else
using xnnpack_if_found = back_ends<>;
#endif
#if INLAY_WITH_OPENBLAS
using openblas_if_found = back_ends<inlay::openblas>;
#else
using openblas_if_found = back_ends<>;
#endif

/// The back ends that this build of the program knows, most preferred first; the libraries that were found decide.
using built_in_list =
    decltype(list_of(onednn_if_found() + cpu_simd_if_found() + xnnpack_if_found() + openblas_if_found() +
                     back_ends<inlay::cpu_loops, inlay::cublas_lt, inlay::cudnn, inlay::cutlass, inlay::cuda_cxx, inlay::accel,
                               inlay::vector_dsp, inlay::portable_c, inlay::simulated_device, inlay::control_flow, inlay::reference>()));

/// These, and behind them those that came as libraries.
using back_end_list = inlay::extended_list<built_in_list, inlay::loaded_backend>;

/// The back ends of this build, and behind them those that were loaded, if any were.
[[nodiscard]] back_end_list list_with(const inlay::loaded_folders* loaded);

/// The back end to which nodes go that no other claims, which always takes part: that of the plain target that the call names, `c` or none.
[[nodiscard]] constexpr std::string_view last_resort(bool is_for_c) { return is_for_c ? inlay::portable_c::kind : inlay::reference::kind; }

}  // namespace tool

#endif
