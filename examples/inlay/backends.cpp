// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends.hpp"

namespace inlay {

template const backend_vtable& backend_vtable_of<cpu_loops>();
template outcome<kernel> emit_composite(const cpu_loops&, const composite_job&);
template outcome<std::vector<kernel>> emit_regions(const cpu_loops&, std::span<const region_view>);
template outcome<external_kernel> emit_composite(const cpu_loops&, const composite_job&, kernel_store&);
template const backend_vtable& backend_vtable_of<cublas_lt>();
template outcome<kernel> emit_composite(const cublas_lt&, const composite_job&);
template outcome<external_kernel> emit_composite(const cublas_lt&, const composite_job&, kernel_store&);
template const backend_vtable& backend_vtable_of<cudnn>();
template outcome<kernel> emit_composite(const cudnn&, const composite_job&);
template outcome<external_kernel> emit_composite(const cudnn&, const composite_job&, kernel_store&);
template const backend_vtable& backend_vtable_of<cutlass>();
template outcome<kernel> emit_composite(const cutlass&, const composite_job&);
template outcome<external_kernel> emit_composite(const cutlass&, const composite_job&, kernel_store&);
template const backend_vtable& backend_vtable_of<cuda_cxx>();
template outcome<kernel> emit_composite(const cuda_cxx&, const composite_job&);
template outcome<std::vector<kernel>> emit_regions(const cuda_cxx&, std::span<const region_view>);
template outcome<external_kernel> emit_composite(const cuda_cxx&, const composite_job&, kernel_store&);
template const backend_vtable& backend_vtable_of<accel>();
template outcome<kernel> emit_composite(const accel&, const composite_job&);
template outcome<external_kernel> emit_composite(const accel&, const composite_job&, kernel_store&);
template const backend_vtable& backend_vtable_of<vector_dsp>();
template outcome<kernel> emit_composite(const vector_dsp&, const composite_job&);
template outcome<external_kernel> emit_composite(const vector_dsp&, const composite_job&, kernel_store&);
template const backend_vtable& backend_vtable_of<portable_c>();
template outcome<kernel> emit_composite(const portable_c&, const composite_job&);
template outcome<std::vector<kernel>> emit_regions(const portable_c&, std::span<const region_view>);
template outcome<external_kernel> emit_composite(const portable_c&, const composite_job&, kernel_store&);
template const backend_vtable& backend_vtable_of<control_flow>();
template outcome<kernel> emit_composite(const control_flow&, const composite_job&);
template outcome<external_kernel> emit_composite(const control_flow&, const composite_job&, kernel_store&);
template const backend_vtable& backend_vtable_of<simulated_device>();
template outcome<kernel> emit_composite(const simulated_device&, const composite_job&);
template outcome<external_kernel> emit_composite(const simulated_device&, const composite_job&, kernel_store&);
#if INLAY_WITH_CPU_SIMD
template const backend_vtable& backend_vtable_of<cpu_simd>();
template outcome<kernel> emit_composite(const cpu_simd&, const composite_job&);
template outcome<external_kernel> emit_composite(const cpu_simd&, const composite_job&, kernel_store&);
#endif
#if INLAY_WITH_ONEDNN
template const backend_vtable& backend_vtable_of<onednn>();
template outcome<kernel> emit_composite(const onednn&, const composite_job&);
template outcome<external_kernel> emit_composite(const onednn&, const composite_job&, kernel_store&);
#endif
#if INLAY_WITH_XNNPACK
template const backend_vtable& backend_vtable_of<xnnpack>();
template outcome<kernel> emit_composite(const xnnpack&, const composite_job&);
template outcome<external_kernel> emit_composite(const xnnpack&, const composite_job&, kernel_store&);
#endif
#if INLAY_WITH_OPENBLAS
template const backend_vtable& backend_vtable_of<openblas>();
template outcome<kernel> emit_composite(const openblas&, const composite_job&);
template outcome<external_kernel> emit_composite(const openblas&, const composite_job&, kernel_store&);
#endif

}  // namespace inlay
