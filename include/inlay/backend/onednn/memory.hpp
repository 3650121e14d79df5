// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_ONEDNN_MEMORY_HPP
#define INLAY_BACKEND_ONEDNN_MEMORY_HPP

#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <oneapi/dnnl/dnnl.hpp>

#include <inlay/backend/with_axes.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/target/format.hpp>

// How tensors, layouts and failures of this library look in oneDNN's words.

namespace inlay::detail {

/// How many axes a tensor may have.
inline constexpr std::size_t onednn_most_axes = 6;

/// What `make()` gives; what the library throws on the way becomes the error. `make` gives an `outcome`.
template <class Make>
[[nodiscard]] auto onednn_guarded(std::string_view what, Make&& make) -> decltype(make()) {
    try {
        return make();
    } catch (const std::exception& e) {
        return error{"oneDNN refuses " + std::string(what) + ": " + e.what()};
    }
}

/// The strides of a row-major tensor, in elements.
[[nodiscard]] inline dnnl::memory::dims onednn_row_major(const std::vector<std::int64_t>& extents) {
    dnnl::memory::dims strides(extents.size(), 1);
    for (std::size_t i = extents.size(); i-- > 1;) strides[i - 1] = strides[i] * (extents[i] > 0 ? extents[i] : 1);
    return strides;
}

/// The same tensor with its extents written with at least `rank` axes, ones in front. Rank 0 becomes rank 1, which the library needs.
[[nodiscard]] inline std::vector<std::int64_t> onednn_with_rank(std::vector<std::int64_t> extents, std::size_t rank) {
    return with_axes(std::move(extents), rank == 0 ? 1 : rank);
}

/// A float32 tensor in row-major order.
[[nodiscard]] inline dnnl::memory::desc onednn_plain(const std::vector<std::int64_t>& extents) {
    const std::vector<std::int64_t> e = onednn_with_rank(extents, 1);
    return {e, dnnl::memory::data_type::f32, onednn_row_major(e)};
}

/// A float32 tensor whose order the library may choose.
[[nodiscard]] inline dnnl::memory::desc onednn_any(const std::vector<std::int64_t>& extents) {
    return {onednn_with_rank(extents, 1), dnnl::memory::data_type::f32, dnnl::memory::format_tag::any};
}

/// Whether the library can say this layout for tensors of this rank: other layouts than `plain` from rank 3 to 5, blocks of 8 and 16.
[[nodiscard]] inline bool onednn_has_layout(std::size_t rank, const layout& l) {
    if (l.kind == layout::form::plain) return true;
    if (rank < 3 || rank > 5) return false;
    return l.kind == layout::form::channels_last || l.block == 8 || l.block == 16;
}

/// A float32 tensor in a layout. Precondition: `onednn_has_layout`. Blocks that are not full are filled with zeros by the library, too.
[[nodiscard]] inline dnnl::memory::desc onednn_desc(const std::vector<std::int64_t>& extents, const layout& l) {
    using tag = dnnl::memory::format_tag;
    constexpr auto f32 = dnnl::memory::data_type::f32;
    switch (l.kind) {
        case layout::form::plain:
            break;
        case layout::form::channels_last: {
            constexpr tag by_rank[] = {tag::nwc, tag::nhwc, tag::ndhwc};
            return {extents, f32, by_rank[extents.size() - 3]};
        }
        case layout::form::channels_blocked: {
            constexpr tag by_8[] = {tag::nCw8c, tag::nChw8c, tag::nCdhw8c};
            constexpr tag by_16[] = {tag::nCw16c, tag::nChw16c, tag::nCdhw16c};
            return {extents, f32, (l.block == 8 ? by_8 : by_16)[extents.size() - 3]};
        }
    }
    return onednn_plain(extents);
}

/// The block of channels that suits the instructions that the library uses here: 16 floats with AVX-512, else 8.
[[nodiscard]] inline std::uint8_t onednn_block() {
    const auto isa = static_cast<unsigned>(dnnl::get_effective_cpu_isa());
    const auto wide = static_cast<unsigned>(dnnl::cpu_isa::avx512_core);
    return (isa & wide) == wide ? 16 : 8;
}

/// The layouts that it has for tensors of this rank, its own order first.
[[nodiscard]] inline std::vector<layout> onednn_layouts(std::size_t rank) {
    if (rank < 3 || rank > 5) return {layout::plain()};
    return {layout::channels_blocked(onednn_block()), layout::channels_last(), layout::plain()};
}

/// Whether an implementation is one of the library's plain loops, which are hundreds of times slower than its generated code.
[[nodiscard]] inline bool onednn_is_reference(std::string_view implementation) {
    return implementation.find("ref") != std::string_view::npos;
}

}  // namespace inlay::detail

#endif
