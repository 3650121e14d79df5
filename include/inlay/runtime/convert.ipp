// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_RUNTIME_CONVERT_IPP
#define INLAY_RUNTIME_CONVERT_IPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <inlay/runtime/convert.hpp>
#include <inlay/runtime/transpose.hpp>

namespace inlay {

template <class T>
void layout_conversion::run_unit(const T* in, T* out, std::size_t unit) const {
    const bool strip_inside = to_.kind == layout::form::channels_last;  // the order in which the result lies in memory
    const std::size_t image = unit / (strips_ * ranges_), rest = unit % (strips_ * ranges_);
    const std::size_t strip = strip_inside ? rest % strips_ : rest / ranges_, range = strip_inside ? rest / strips_ : rest % ranges_;
    const std::size_t channel = strip * width_, place = range * range_;
    const std::size_t places = std::min(range_, places_ - place);
    const std::size_t channels = channel < channels_ ? std::min(width_, channels_ - channel) : 0;
    const side to = side_of(to_, image, channel, place);
    if (channels != 0) {
        const side from = side_of(from_, image, channel, place);
        if (from_.kind == layout::form::plain)
            detail::transpose(in + from.at, from.channel_stride, out + to.at, to.place_stride, channels, places);
        else if (to_.kind == layout::form::plain)
            detail::transpose(in + from.at, from.place_stride, out + to.at, to.channel_stride, places, channels);
        else
            detail::copy_runs(in + from.at, from.place_stride, out + to.at, to.place_stride, channels, places);
    }
    if (to_.kind == layout::form::channels_blocked && channels < width_)
        for (std::size_t p = 0; p < places; ++p) std::fill_n(out + to.at + p * to.place_stride + channels, width_ - channels, T{});
}

template <class T>
void layout_conversion::run_as(const void* from, void* to, executor_ref executor) const {
    const T* in = static_cast<const T*>(from);
    T* out = static_cast<T*>(to);
    const std::size_t elements = bytes_written() / sizeof(T);
    const std::size_t units = copy_ ? elements : images_ * strips_ * ranges_;
    const auto work = [&](std::size_t first, std::size_t last) {
        if (copy_) {
            if (first != last) std::memcpy(out + first, in + first, (last - first) * sizeof(T));
        } else {
            for (std::size_t u = first; u < last; ++u) run_unit(in, out, u);
        }
    };
    if (executor.threads() < 2 || elements * sizeof(T) < worth_sharing || units < 2) return work(0, units);
    const std::size_t tasks = std::min(units, executor.threads() * 4);
    executor.run(tasks, [&](std::size_t t) { work(units * t / tasks, units * (t + 1) / tasks); });
}

INLAY_FUNCTION void layout_conversion::run(const void* in, void* out, executor_ref executor) const {
    switch (size_) {
        case 1:
            return run_as<std::uint8_t>(in, out, executor);
        case 2:
            return run_as<std::uint16_t>(in, out, executor);
        case 4:
            return run_as<std::uint32_t>(in, out, executor);
        default:
            return run_as<std::uint64_t>(in, out, executor);
    }
}

}  // namespace inlay

#endif
