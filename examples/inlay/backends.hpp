// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_EXAMPLES_INLAY_BACKENDS_HPP
#define INLAY_EXAMPLES_INLAY_BACKENDS_HPP

#include <inlay/backend/reference/backend.hpp>
#include <inlay/candidate/backend_vtable.hpp>
#include <inlay/codegen/backend_list.hpp>
#include <inlay/codegen/emit_composite.hpp>
#include <inlay/codegen/kernel_store.hpp>
#if INLAY_WITH_ONEDNN
#include <inlay/backend/onednn/backend.hpp>
#endif
#if INLAY_WITH_XNNPACK
#include <inlay/backend/xnnpack/backend.hpp>
#endif

// What back ends say of candidates, and the code they make, is compiled in backends.cpp alone.
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

namespace tool {

/// The back ends that this build of the program knows, most preferred first; the libraries that were found decide.
#if INLAY_WITH_ONEDNN && INLAY_WITH_XNNPACK
using back_end_list = inlay::backend_list<inlay::onednn, inlay::xnnpack, inlay::reference>;
#elif INLAY_WITH_ONEDNN
using back_end_list = inlay::backend_list<inlay::onednn, inlay::reference>;
#elif INLAY_WITH_XNNPACK
using back_end_list = inlay::backend_list<inlay::xnnpack, inlay::reference>;
#else
using back_end_list = inlay::backend_list<inlay::reference>;
#endif

/// The back end to which nodes go that no other claims; it always takes part.
inline constexpr std::string_view last_resort = inlay::reference::kind;

}  // namespace tool

#endif
