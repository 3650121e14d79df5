// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_RUNTIME_CONVERT_HPP
#define INLAY_RUNTIME_CONVERT_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include <inlay/codegen/kernel/kernel.hpp>
#include <inlay/core/executor.hpp>
#include <inlay/core/linkage.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/target/format.hpp>

namespace inlay {

/// A change of layout, prepared for one shape: every pair of `plain`, `channels_last` and `channels_blocked`, of equal element types of
/// 1, 2, 4 or 8 bytes, in the CPU's main memory. A value; `run` allocates nothing and may be called on several threads at once.
///
/// A tensor is seen as N images of C channels at S places. A unit of work is a strip of `width` channels at a range of places: on
/// either side its elements are contiguous along channels or along places, so that it is a transposition or a copy of runs.
class layout_conversion {
public:
    /// Error: a pair of formats, or extents, that cannot be converted.
    [[nodiscard]] static outcome<layout_conversion> make(const std::vector<std::int64_t>& extents, const format& from, const format& to) {
        const auto refuse = [&](const std::string& why) {
            return error{"cannot convert a tensor from " + to_string(from) + " to " + to_string(to) + ": " + why};
        };
        if (from.element != to.element) return refuse("the element types differ; cast it in the graph");
        if (from.scope != memory_scope{} || to.scope != memory_scope{}) return refuse("both must stand in the CPU's main memory");
        layout_conversion c;
        c.size_ = size_of(from.element);
        if (c.size_ == 0) return refuse("its elements have no fixed size");
        if (from.order.block == 0 || to.order.block == 0) return refuse("a block holds at least one channel");
        const auto count = element_count(extents);
        if (!count || *count > (std::int64_t{1} << 50)) return refuse("its extents are no shape");
        c.from_ = from.order;
        c.to_ = to.order;
        if (extents.size() < 2) {
            c.from_ = c.to_ = layout::plain();
            c.places_ = static_cast<std::size_t>(*count);
        } else {
            c.images_ = static_cast<std::size_t>(extents[0]);
            c.channels_ = static_cast<std::size_t>(extents[1]);
            for (std::size_t i = 2; i < extents.size(); ++i) c.places_ *= static_cast<std::size_t>(extents[i]);
        }
        if (*count == 0) c.images_ = 0;
        c.divide();
        return c;
    }

    /// Reads a tensor of the one format at `in`, writes it in the other to `out`; the fill of the last block is zero. The two do not
    /// overlap. Large tensors are shared out over the executor's threads.
    INLAY_FUNCTION void run(const void* in, void* out, executor_ref executor = {}) const;

    [[nodiscard]] std::size_t bytes_read() const { return images_ * from_.stored_channels(channels_) * places_ * size_; }
    [[nodiscard]] std::size_t bytes_written() const { return images_ * to_.stored_channels(channels_) * places_ * size_; }

    /// Whether both layouts put every element at the same place, so that it is a plain copy.
    [[nodiscard]] bool is_copy() const { return copy_; }

private:
    // Below this many bytes the handing out of tasks costs more than it saves.
    static constexpr std::size_t worth_sharing = std::size_t{256} << 10;
    static constexpr std::size_t unit_bytes = std::size_t{32} << 10;

    void divide() {
        const bool from_blocked = from_.kind == layout::form::channels_blocked, to_blocked = to_.kind == layout::form::channels_blocked;
        const bool both_whole = !from_blocked && !to_blocked && (channels_ == 1 || places_ == 1);
        copy_ = from_ == to_ || both_whole;
        if (copy_) return;
        width_ = from_blocked && to_blocked ? std::gcd<std::size_t, std::size_t>(from_.block, to_.block)
                 : from_blocked             ? from_.block
                 : to_blocked               ? to_.block
                                            : 64;
        strips_ = (to_.stored_channels(channels_) + width_ - 1) / width_;
        range_ = std::max<std::size_t>(64, unit_bytes / (width_ * size_) / 64 * 64);
        ranges_ = (places_ + range_ - 1) / range_;
    }

    /// One side of a unit: the address of its first element, and the distance between places and between channels; one of them is 1.
    struct side {
        std::size_t at, place_stride, channel_stride;
    };
    [[nodiscard]] side side_of(const layout& l, std::size_t image, std::size_t channel, std::size_t place) const {
        switch (l.kind) {
            case layout::form::plain:
                return {(image * channels_ + channel) * places_ + place, 1, places_};
            case layout::form::channels_last:
                return {(image * places_ + place) * channels_ + channel, channels_, 1};
            case layout::form::channels_blocked:
                break;
        }
        const std::size_t b = l.block;
        return {(image * l.stored_channels(channels_) + channel / b * b) * places_ + place * b + channel % b, b, 1};
    }

    template <class T>
    void run_unit(const T* in, T* out, std::size_t unit) const;
    template <class T>
    void run_as(const void* from, void* to, executor_ref executor) const;

    layout from_, to_;
    bool copy_ = false;
    std::size_t size_ = 0, images_ = 1, channels_ = 1, places_ = 1;
    std::size_t width_ = 1, strips_ = 1, range_ = 1, ranges_ = 1;
};

/// A kernel of one input and one result that converts.
[[nodiscard]] inline kernel conversion_kernel(const layout_conversion& how) {
    struct state {
        layout_conversion how;
        bool run(const run_arguments& a) const {
            how.run(a.inputs[0], a.results[0], a.executor);
            return true;
        }
    };
    return kernel(state{how});
}

/// Converts one tensor: `layout_conversion::make`, then `run`.
[[nodiscard]] inline outcome<void> convert(const std::vector<std::int64_t>& extents, const format& from, const format& to, const void* in,
                                           void* out, executor_ref executor = {}) {
    const auto made = layout_conversion::make(extents, from, to);
    if (!made) return made.failure();
    made->run(in, out, executor);
    return {};
}

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/runtime/convert.ipp>
#endif

#endif
