// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_BACKEND_VECTOR_DSP_STRIPS_HPP
#define INLAY_TESTS_BACKEND_VECTOR_DSP_STRIPS_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include <inlay/backend/vector_dsp/dsp_machine.hpp>
#include <inlay/backend/vector_dsp/packed_strips.hpp>
#include <inlay/backend/vector_dsp/strip_layer.hpp>

namespace dsp_test {

using namespace inlay;
using namespace inlay::dsp_parts;

/// Random machines, layers and constants. Floats are such that their sums are exact in any order.
class some {
public:
    explicit some(std::uint32_t seed) : random_(seed) {}
    [[nodiscard]] std::int64_t from(std::int64_t low, std::int64_t high) {
        return low + static_cast<std::int64_t>(random_() % static_cast<std::uint32_t>(high - low + 1));
    }
    [[nodiscard]] bool flip() { return random_() % 2 == 0; }

    [[nodiscard]] dsp_machine a_machine() {
        dsp_machine m;
        m.lanes = 4 * from(1, 4);
        m.dma = {from(1, 16), from(0, 30)};
        m.double_buffering = flip();
        m.memory_bytes = from(1024, 6000);
        return m;
    }
    [[nodiscard]] tap_axis an_axis() {
        tap_axis a;
        a.in = from(1, 7);
        a.taps = from(1, 3);
        a.stride = from(1, 2);
        a.dilation = from(1, 2);
        a.before = from(0, 2);
        a.out = std::max<std::int64_t>(1, (a.in + 2 * a.before - (a.taps - 1) * a.dilation - 1) / a.stride + 1);
        return a;
    }
    [[nodiscard]] strip_layer a_layer() {
        strip_layer l;
        l.work = static_cast<strip_work>(from(0, 3));
        l.type = l.work == strip_work::average ? operand_type::floats : static_cast<operand_type>(from(0, 2));
        if (l.work == strip_work::combination) {
            l.channels = from(1, 900);
            l.function = static_cast<combine_function>(from(0, 3));
            l.reads_one = l.function == combine_function::first || flip();
            return l;
        }
        l.images = from(1, 2);
        l.y = an_axis();
        l.x = an_axis();
        l.channels = from(1, 40);
        return l;
    }
    [[nodiscard]] std::vector<std::byte> numbers_of(operand_type type, std::int64_t count) {
        std::vector<std::byte> made(static_cast<std::size_t>(count * bytes_of(type)));
        if (type == operand_type::floats)
            for (std::size_t i = 0; i + 4 <= made.size(); i += 4) {
                const float v = static_cast<float>(from(-8, 8)) / 4;
                std::memcpy(made.data() + i, &v, 4);
            }
        else
            for (std::byte& b : made) b = static_cast<std::byte>(from(0, 255));
        return made;
    }
    [[nodiscard]] strip_numbers numbers(const strip_layer& l) {
        strip_numbers n;
        const std::int64_t taps = l.work == strip_work::depthwise ? l.y.taps * l.x.taps : 1;
        n.weights = numbers_of(l.type, taps * l.channels);
        for (std::int64_t c = 0; c < l.channels; ++c) {
            n.scales.push_back(l.type == operand_type::floats ? 0.5f : static_cast<float>(from(1, 40)) / 1000);
            n.starts.push_back(static_cast<std::int32_t>(from(-300, 300)));
            n.real_starts.push_back(static_cast<float>(from(-8, 8)) / 2);
        }
        n.x_zero = l.type == operand_type::floats ? std::uint8_t{0} : static_cast<std::uint8_t>(from(0, 255));
        n.zero = static_cast<std::int32_t>(from(-5, 5));
        n.low = static_cast<std::int32_t>(l.type == operand_type::unsigned_bytes ? 0 : from(-128, -10));
        n.high = static_cast<std::int32_t>(l.type == operand_type::unsigned_bytes ? from(100, 255) : from(10, 127));
        if (flip()) n.real_low = 0;
        if (flip()) n.real_high = 6;
        n.combined = {0.02f, 0.03f, 0.04f, static_cast<std::int32_t>(from(-9, 9)), static_cast<std::int32_t>(from(-9, 9)), n.zero};
        return n;
    }

private:
    std::mt19937 random_;
};

/// What a layer means, element by element.
[[nodiscard]] inline std::vector<std::byte> meaning_of(const strip_layer& l, const strip_numbers& n, const std::vector<std::byte>& a,
                                                       const std::vector<std::byte>& b) {
    std::vector<std::byte> made(static_cast<std::size_t>(l.out_bytes()));
    const bool is_real = l.type == operand_type::floats;
    const auto byte = [&](std::byte v, bool is_signed) {
        return is_signed ? double{static_cast<double>(static_cast<std::int8_t>(v))} : static_cast<double>(static_cast<std::uint8_t>(v));
    };
    const auto number = [&](const std::vector<std::byte>& from, std::int64_t i, bool is_signed) {
        if (!is_real) return byte(from[static_cast<std::size_t>(i)], is_signed);
        float v;
        std::memcpy(&v, from.data() + 4 * i, 4);
        return static_cast<double>(v);
    };
    const bool is_signed = l.type == operand_type::signed_bytes;
    const auto put_real = [&](std::int64_t i, float v) {
        const float cut = std::min(std::max(v, n.real_low), n.real_high);
        std::memcpy(made.data() + 4 * i, &cut, 4);
    };
    const auto put_steps = [&](std::int64_t i, float steps, std::int32_t zero, std::int32_t low, std::int32_t high) {
        const auto moved = static_cast<std::int32_t>(std::nearbyint(steps)) + zero;
        made[static_cast<std::size_t>(i)] = static_cast<std::byte>(static_cast<std::uint8_t>(std::clamp(moved, low, high)));
    };
    if (l.work == strip_work::combination) {
        for (std::int64_t i = 0; i < l.channels; ++i) {
            const auto part = [&](const std::vector<std::byte>& from, float scale, std::int32_t zero) {
                const double v = number(from, i, is_signed);
                return is_real ? static_cast<float>(v) : static_cast<float>(v - zero) * scale;
            };
            const float p = part(a, n.combined.scale_a, n.combined.zero_a), q = part(b, n.combined.scale_b, n.combined.zero_b);
            const float of[] = {p + q, p - q, p * q, p};
            const float v = of[static_cast<std::size_t>(l.function)];
            if (is_real)
                put_real(i, v);
            else
                put_steps(i, std::min(std::max(v, n.real_low), n.real_high) / n.combined.scale, n.combined.zero, is_signed ? -128 : 0,
                          is_signed ? 127 : 255);
        }
        return made;
    }
    const double x_zero = is_real ? 0 : byte(static_cast<std::byte>(n.x_zero), is_signed);
    for (std::int64_t at = 0; at < l.images * l.y.out * l.x.out * l.channels; ++at) {
        const std::int64_t c = at % l.channels, ox = at / l.channels % l.x.out, oy = at / l.channels / l.x.out % l.y.out,
                           image = at / l.channels / l.x.out / l.y.out;
        const auto channel = static_cast<std::size_t>(c);
        double sum = is_real ? static_cast<double>(n.real_starts[channel]) : n.starts[channel];
        double best = is_real ? -std::numeric_limits<double>::infinity() : is_signed ? -128 : 0;
        for (std::int64_t ty = 0; ty < l.y.taps; ++ty)
            for (std::int64_t tx = 0; tx < l.x.taps; ++tx) {
                const std::int64_t y = l.y.place(oy, ty), x = l.x.place(ox, tx);
                if (y < 0 || y >= l.y.in || x < 0 || x >= l.x.in) continue;
                const double in = number(a, ((image * l.y.in + y) * l.x.in + x) * l.channels + c, is_signed);
                const std::int64_t tap = l.work == strip_work::depthwise ? ty * l.x.taps + tx : 0;
                best = std::max(best, in);
                sum += (in - x_zero) * number(n.weights, tap * l.channels + c, true);
            }
        if (l.work == strip_work::maximum && is_real) {
            const auto v = static_cast<float>(best);
            std::memcpy(made.data() + 4 * at, &v, 4);
        } else if (l.work == strip_work::maximum) {
            made[static_cast<std::size_t>(at)] = static_cast<std::byte>(static_cast<std::uint8_t>(static_cast<int>(best)));
        } else if (is_real) {
            put_real(at, static_cast<float>(sum) * n.scales[channel]);
        } else {
            put_steps(at, static_cast<float>(sum) * n.scales[channel], n.zero, n.low, n.high);
        }
    }
    return made;
}

}  // namespace dsp_test

#endif
