// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CODEGEN_EMITTER_HPP
#define INLAY_CODEGEN_EMITTER_HPP

#include <concepts>

#include <inlay/candidate/region_view.hpp>
#include <inlay/codegen/kernel.hpp>
#include <inlay/core/outcome.hpp>

namespace inlay {

/// It makes code for a region with `emit(region)`: a kernel, or one sentence on why it cannot. The view holds the formats that were
/// chosen. Not checked: that the kernel computes what the region means.
template <class B>
concept has_emitter = requires(const B& b, const region_view& r) {
    { b.emit(r) } -> std::same_as<outcome<kernel>>;
};

}  // namespace inlay

#endif
