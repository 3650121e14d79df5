// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CPU_SIMD_BYTE_POOL_HPP
#define INLAY_BACKEND_CPU_SIMD_BYTE_POOL_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <inlay/accelerator/tap_axis.hpp>
#include <inlay/backend/cpu_simd/kernel_table.hpp>
#include <inlay/backend/float_region.hpp>
#include <inlay/backend/image_axes.hpp>
#include <inlay/backend/only_call.hpp>
#include <inlay/candidate/border_formats.hpp>
#include <inlay/codegen/kernel.hpp>
#include <inlay/codegen/share_work.hpp>

namespace inlay::simd {

/// The largest bytes of windows over images with channels last. The state of a kernel.
struct byte_pool {
    const kernel_table* table = nullptr;
    std::ptrdiff_t images = 1, channels = 1;
    tap_axis y, x;
    bool is_signed = false;

    [[nodiscard]] bool run(const run_arguments& a) const {
        const auto* from = static_cast<const std::uint8_t*>(a.inputs[0]);
        auto* to = static_cast<std::uint8_t*>(a.results[0]);
        const double work = static_cast<double>(x.out * channels) * static_cast<double>(y.taps * x.taps) / 4;
        share(a.executor, static_cast<std::size_t>(images * y.out), work, [&](std::size_t begin, std::size_t end) {
            byte_maximum_job j;
            j.row = y.dilation * x.in * channels;
            j.column = x.dilation * channels;
            j.channels = static_cast<std::size_t>(channels);
            j.is_signed = is_signed;
            for (auto line = static_cast<std::ptrdiff_t>(begin); line < static_cast<std::ptrdiff_t>(end); ++line) {
                const taps rows = inside(y, line % y.out);
                j.rows = static_cast<std::size_t>(rows.count);
                for (std::ptrdiff_t place = 0; place < x.out; ++place) {
                    const taps columns = inside(x, place);
                    j.columns = static_cast<std::size_t>(columns.count);
                    j.x = from + ((line / y.out * y.in + rows.first) * x.in + columns.first) * channels;
                    j.y = to + (line * x.out + place) * channels;
                    table->maximum_of_bytes(j);
                }
            }
        });
        return true;
    }

    /// The taps of a window that stand in the image: where the first of them does, and how many there are.
    struct taps {
        std::ptrdiff_t first = 0, count = 0;
    };
    [[nodiscard]] static taps inside(const tap_axis& a, std::ptrdiff_t place) {
        const std::ptrdiff_t begin = a.place(place, 0);
        const std::ptrdiff_t beside = begin < 0 ? (-begin + a.dilation - 1) / a.dilation : 0;
        const std::ptrdiff_t first = begin + beside * a.dilation;
        return {first, std::min<std::ptrdiff_t>(a.taps - beside, (a.in - 1 - first + a.dilation) / a.dilation)};
    }
};

/// MaxPool of bytes as the third part of a composite.
struct byte_pool_entry {
    struct plan {
        byte_pool kernel;
    };

    template <class B, class Match>
    [[nodiscard]] outcome<plan> read(const B&, const Match& m) const {
        const region_view& r = m.region();
        const region_value* call = detail::only_call(r);
        if (call == nullptr || r.input_count != 1 || call->operands[0] != 0) return error{"the region is no pooling of an input"};
        if (!call->type->is_tensor() || !call->type->is_static() || !r[0].type->is_static())
            return error{"the shape of a value is not known before the run, or there are several"};
        const element_type e = r.type(0).element;
        if (e != element_type::int8 && e != element_type::uint8) return error{"the input is none of bytes"};
        const std::vector<std::int64_t> in = static_shape(r.type(0));
        const auto axes = detail::image_axes_of(r, *call, std::vector<std::int64_t>(in.size() - 2, -1));
        if (!axes) return axes.failure();
        plan p;
        p.kernel.images = in[0];
        p.kernel.channels = in[1];
        p.kernel.y = axes->y;
        p.kernel.x = axes->x;
        p.kernel.is_signed = e == element_type::int8;
        for (const tap_axis& a : {axes->y, axes->x})
            for (std::int64_t place = 0; place < a.out; ++place)
                if (byte_pool::inside(a, place).count < 1) return error{"a window has no place in the image"};
        return p;
    }

    template <class B>
    [[nodiscard]] std::vector<border_formats> formats(const B& self, const plan&, const region_view& r) const {
        if (self.table() == nullptr) return {};
        return {detail::borders_in(r, layout::channels_last())};
    }

    template <class B>
    [[nodiscard]] outcome<kernel> emit(const B& self, const plan& p, const region_view& r) const {
        if (auto ready = self.check(r, formats(self, p, r)); !ready) return ready.failure();
        byte_pool k = p.kernel;
        k.table = self.table();
        return self.finish(k, "pool of bytes");
    }
};

}  // namespace inlay::simd

#endif
