// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_REFERENCE_DETAIL_EPILOGUE_HPP
#define INLAY_BACKEND_REFERENCE_DETAIL_EPILOGUE_HPP

#include <cstddef>
#include <cstdint>
#include <vector>

#include <inlay/backend/reference/detail/call_site.hpp>
#include <inlay/backend/reference/detail/lanes.hpp>
#include <inlay/backend/reference/unary.hpp>

namespace inlay::detail::on_eigen {

/// What is done to each element of a product's or convolution's result while it is in the cache.
struct epilogue_step {
    enum class form : std::uint8_t {
        function,  // `apply`
        affine,    // times `scale` plus `shift`, one per channel
        tensor     // plus the element of operand `operand` at the same place
    };

    form kind = form::function;
    unary_function apply;
    std::vector<float> scale, shift;
    std::size_t operand = 0;
};

using epilogue = std::vector<epilogue_step>;

/// Does the steps to a row that lies in one channel; `place` is where the row starts in the result.
inline void finish_in_channel(const epilogue& steps, const run_arguments& a, float* row, std::int64_t n, std::int64_t channel,
                              std::int64_t place) {
    for (const epilogue_step& s : steps) {
        switch (s.kind) {
            case epilogue_step::form::function:
                s.apply(n, row, row);
                break;
            case epilogue_step::form::affine: {
                const auto c = static_cast<std::size_t>(channel);
                map_lanes(n, row, row, [scale = s.scale[c], shift = s.shift[c]](const lanes& v) { return lanes(v * scale + shift); });
                break;
            }
            case epilogue_step::form::tensor:
                map_lanes(n, row, row, input<float>(a, s.operand) + place, [](const lanes& v, const lanes& w) { return lanes(v + w); });
                break;
        }
    }
}

/// The same for a row along which each element is a channel of its own, from `first` on.
inline void finish_across_channels(const epilogue& steps, const run_arguments& a, float* row, std::int64_t n, std::int64_t first,
                                   std::int64_t place) {
    for (const epilogue_step& s : steps) {
        switch (s.kind) {
            case epilogue_step::form::function:
                s.apply(n, row, row);
                break;
            case epilogue_step::form::affine:
                map_lanes(n, row, row, s.scale.data() + first, [](const lanes& v, const lanes& w) { return lanes(v * w); });
                map_lanes(n, row, row, s.shift.data() + first, [](const lanes& v, const lanes& w) { return lanes(v + w); });
                break;
            case epilogue_step::form::tensor:
                map_lanes(n, row, row, input<float>(a, s.operand) + place, [](const lanes& v, const lanes& w) { return lanes(v + w); });
                break;
        }
    }
}

}  // namespace inlay::detail::on_eigen

#endif
