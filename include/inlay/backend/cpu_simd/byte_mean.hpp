// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CPU_SIMD_BYTE_MEAN_HPP
#define INLAY_BACKEND_CPU_SIMD_BYTE_MEAN_HPP

#include <cstdint>
#include <vector>

#include <inlay/backend/cpu_simd/byte_image.hpp>
#include <inlay/backend/cpu_simd/kernel_table.hpp>
#include <inlay/backend/float_region.hpp>
#include <inlay/backend/quantized_mean.hpp>
#include <inlay/backend/static_region.hpp>
#include <inlay/candidate/border_formats.hpp>
#include <inlay/codegen/kernel/kernel.hpp>
#include <inlay/graph/element_type.hpp>
#include <inlay/pattern/dsl/dsl.hpp>
#include <inlay/target/format.hpp>

namespace inlay::simd {

/// Means of bytes as numbers over windows of images with channels last. The state of a kernel.
struct byte_mean {
    const kernel_table* table = nullptr;
    byte_image image;
    byte_mean_job steps;  // what all places have in common
    double counted = 0;   // 0: the places of a window that stand in the image

    [[nodiscard]] bool run(const run_arguments& a) const {
        image.for_each<byte_mean_job>(a, 1, [&](const byte_mean_job& j, auto&&...) {
            byte_mean_job one = steps;
            static_cast<byte_window&>(one) = j;
            one.counted = counted > 0 ? counted : static_cast<double>(j.rows * j.columns);
            table->mean_of_bytes(one);
        });
        return true;
    }
};

/// Such a mean as the third part of a composite. Results are the bytes of the operators' definitions.
struct byte_mean_entry {
    using plan = detail::quantized_mean;

    static constexpr auto pattern() {
        using namespace dsl;
        constexpr auto mean = op<"onnx.AveragePool", "onnx.GlobalAveragePool", "onnx.ReduceMean">(op<"onnx.DequantizeLinear">, rest);
        return op<"onnx.QuantizeLinear">(mean, rest);
    }

    template <class B, class Match>
    [[nodiscard]] outcome<plan> read(const B&, const Match& m) const {
        const region_view& r = m.region();
        if (auto fine = detail::check_static_region(r); !fine) return fine.failure();
        auto p = plan::read(r);
        if (!p) return p;
        if (byte_image::has_empty_window(p->axes.y) || byte_image::has_empty_window(p->axes.x))
            return error{"a window has no place in the image"};
        return p;
    }

    /// Channels last; of a whole image's means, which are one place for each channel, also row-major.
    template <class B>
    [[nodiscard]] std::vector<border_formats> formats(const B& self, const plan& p, const region_view& r) const {
        std::vector<border_formats> list = self.channels_last(r);
        if (!p.is_global || list.empty()) return list;
        border_formats plain = list.front();
        plain.results[0].order = layout::plain();
        // Where the spatial axes are gone there is no other order.
        if (r.type(p.y.value).rank() <= 2) list.clear();
        list.push_back(std::move(plain));
        return list;
    }

    template <class B>
    [[nodiscard]] outcome<kernel> emit(const B& self, const plan& p, const region_view& r) const {
        if (auto ready = self.check(r, formats(self, p, r)); !ready) return ready.failure();
        const std::vector<std::int64_t> in = static_shape(r.type(p.x.value));
        byte_mean k;
        k.table = self.table();
        k.image = {in[0], in[1], p.axes.y, p.axes.x, r.type(p.x.value).element == element_type::int8};
        k.steps.x_zero = p.x.zero;
        k.steps.x_scale = p.x.scale;
        k.steps.y_scale = p.y.scale;
        k.steps.y_zero = static_cast<float>(p.y.zero);
        k.steps.y_signed = r.type(p.y.value).element == element_type::int8;
        k.counted = static_cast<double>(p.counted);
        return self.finish(k, "mean of bytes");
    }
};

}  // namespace inlay::simd

#endif
