// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CPU_SIMD_BF16_CONVOLUTION_HPP
#define INLAY_BACKEND_CPU_SIMD_BF16_CONVOLUTION_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/backend/cpu_simd/bf16_product.hpp>
#include <inlay/backend/cpu_simd/convolution.hpp>
#include <inlay/backend/cpu_simd/window_tiles.hpp>
#include <inlay/backend/float_region.hpp>

namespace inlay::simd {

/// Convolutions with 1 x 1 windows over images with channels last, which are products, as the third part of a composite.
struct bf16_convolution_entry {
    using plan = convolution::plan;

    template <class B, class Match>
    [[nodiscard]] outcome<plan> read(const B& self, const Match& m) const {
        if (auto fine = bf16_product::check_allowed(self.bf16); !fine) return fine.failure();
        auto p = convolution::read(m.region(), convolution_form::direct, self.winograd);
        if (!p) return p.failure();
        if (auto fine = bf16_product::check_gain(self.table(), places(*p)); !fine) return fine.failure();
        const window_shape shape =
            shape_of(p->window, p->x_extents[1], p->y_extents[1], spatial_of(p->x_extents, 1, 2), spatial_of(p->y_extents, 1, 2));
        if (p->groups != 1 || !shape.is_pointwise())
            return error{"numbers are rounded to bfloat16 where windows are 1 x 1 and move by 1, without pads or groups"};
        return p;
    }

    template <class B>
    [[nodiscard]] std::vector<border_formats> formats(const B& self, const plan&, const region_view& r) const {
        return self.channels_last(r);
    }

    template <class B>
    [[nodiscard]] outcome<kernel> emit(const B& self, const plan& p, const region_view& r) const {
        if (auto ready = self.check(r, formats(self, p, r)); !ready) return ready.failure();
        bf16_product k;
        k.table = self.table();
        k.rows = places(p);
        k.depth = static_cast<std::size_t>(p.x_extents[1]);
        k.columns = static_cast<std::size_t>(p.y_extents[1]);
        k.input = p.x;
        k.left_row = static_cast<std::ptrdiff_t>(k.depth);
        k.result_row = static_cast<std::ptrdiff_t>(k.columns);
        k.after = p.tail;
        if (auto bound = k.after.bind(r, p.y_extents, 1, layout::channels_last()); !bound) return bound.failure();
        k.plan();
        digest_builder of;
        if (self.weights != nullptr) of.add("pointwise").add(p.numbers());
        const float* from = p.weights->as<float>().data();
        k.packed = bf16_panels::filled(
            k.depth, k.columns, k.size.vectors, k.table->lanes, self.weights, of.finish(),
            [&](std::size_t d, std::size_t c) { return static_cast<float>(static_cast<double>(from[c * k.depth + d]) * p.line.scale[c]); },
            [&](std::size_t c) { return static_cast<float>(p.line.shift[c]); });
        if (k.packed.is_empty()) return error{"there is no memory for the packed weights"};
        const std::size_t workspace = k.workspace();
        const std::string_view note = k.note(true);
        return self.finish(std::move(k), note, workspace);
    }

private:
    /// Of all images.
    [[nodiscard]] static std::size_t places(const plan& p) {
        std::size_t count = 1;
        for (std::size_t i = 0; i < p.y_extents.size(); ++i) count *= i == 1 ? 1 : static_cast<std::size_t>(p.y_extents[i]);
        return count;
    }
};

}  // namespace inlay::simd

#endif
