// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CPU_SIMD_BYTE_IMAGE_HPP
#define INLAY_BACKEND_CPU_SIMD_BYTE_IMAGE_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <inlay/accelerator/tap_axis.hpp>
#include <inlay/backend/cpu_simd/kernel_table.hpp>
#include <inlay/codegen/kernel/kernel.hpp>
#include <inlay/codegen/kernel/share_work.hpp>

namespace inlay::simd {

/// Windows over each channel by itself, of images of bytes with channels last.
struct byte_image {
    std::ptrdiff_t images = 1, channels = 1;
    tap_axis y, x;
    bool is_signed = false;

    /// The taps of a window that stand in the image: which is the first, where it stands, and how many there are.
    struct taps {
        std::ptrdiff_t number = 0, first = 0, count = 0;

        [[nodiscard]] bool are_those_of(const taps& other) const { return number == other.number && count == other.count; }
    };
    [[nodiscard]] static taps inside(const tap_axis& a, std::ptrdiff_t place) {
        const std::ptrdiff_t begin = a.place(place, 0), beside = begin < 0 ? (-begin + a.dilation - 1) / a.dilation : 0;
        const std::ptrdiff_t first = begin + beside * a.dilation;
        const std::ptrdiff_t left = first < a.in ? (a.in - 1 - first) / a.dilation + 1 : 0;
        return {beside, first, std::clamp<std::ptrdiff_t>(a.taps - beside, 0, left)};
    }
    /// Whether some window stands beside the image alone.
    [[nodiscard]] static bool has_empty_window(const tap_axis& a) {
        for (std::ptrdiff_t place = 0; place < a.out; ++place)
            if (inside(a, place).count < 1) return true;
        return false;
    }

    /// Calls `f(job, row tap, column tap)` for each place of the result, with the numbers of the first taps that stand in the image; a job
    /// is a `byte_window`. `size` is how much work a channel of a tap is.
    template <class Job, class F>
    void for_each(const run_arguments& a, double size, F&& f) const {
        const auto* from = static_cast<const std::uint8_t*>(a.inputs[0]);
        auto* to = static_cast<std::uint8_t*>(a.results[0]);
        const double work = size * static_cast<double>(x.out * channels) * static_cast<double>(y.taps * x.taps);
        share(a.executor, static_cast<std::size_t>(images * y.out), work, [&](std::size_t begin, std::size_t end) {
            Job j;
            j.row = y.dilation * x.in * channels;
            j.column = x.dilation * channels;
            j.x_place = x.stride * channels;
            j.channels = static_cast<std::size_t>(channels);
            j.is_signed = is_signed;
            for (auto line = static_cast<std::ptrdiff_t>(begin); line < static_cast<std::ptrdiff_t>(end); ++line) {
                const taps rows = inside(y, line % y.out);
                j.rows = static_cast<std::size_t>(rows.count);
                for (std::ptrdiff_t place = 0, past = 0; place < x.out; place = past) {
                    const taps columns = inside(x, place);
                    for (past = place + 1; past < x.out && inside(x, past).are_those_of(columns);) ++past;
                    j.columns = static_cast<std::size_t>(columns.count);
                    j.x = from + ((line / y.out * y.in + rows.first) * x.in + columns.first) * channels;
                    j.y = to + (line * x.out + place) * channels;
                    j.places = static_cast<std::size_t>(past - place);
                    f(j, rows.number, columns.number);
                }
            }
        });
    }
};

}  // namespace inlay::simd

#endif
