// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CODEGEN_DECLARE_EMITTER_HPP
#define INLAY_CODEGEN_DECLARE_EMITTER_HPP

#include <concepts>

#include <inlay/candidate/region_view.hpp>
#include <inlay/codegen/kernel/kernel.hpp>
#include <inlay/core/outcome.hpp>

namespace inlay {

/// It makes code for a region with `emit(region)`: a kernel, or one sentence on why it cannot. The view holds the formats that were
/// chosen. Not checked: that the kernel computes what the region means.
template <class B>
concept emits_regions = requires(const B& b, const region_view& r) {
    { b.emit(r) } -> std::same_as<outcome<kernel>>;
};

/// It makes code by way of loop nests, a type of its own: `lower(region)` gives a nest, its loop phases change it, `emit(nest)` ends. The
/// view that is lowered holds the formats that were chosen.
template <class B>
concept emits_nests = requires {
    typename B::nest;
}
&&requires(const B& b, const region_view& r, const typename B::nest& n) {
    { b.lower(r) } -> std::same_as<outcome<typename B::nest>>;
    { b.emit(n) } -> std::same_as<outcome<kernel>>;
};

/// It makes code for a region by one of the two ways; `emit_region` asks either alike.
template <class B>
concept has_emitter = emits_regions<B> || emits_nests<B>;

}  // namespace inlay

#endif
