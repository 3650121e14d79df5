// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_BACKEND_ACCEL_LAYERS_HPP
#define INLAY_TESTS_BACKEND_ACCEL_LAYERS_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

#include <inlay/backend/accel/accel_machine.hpp>
#include <inlay/backend/accel/functional_model.hpp>
#include <inlay/backend/accel/layer.hpp>
#include <inlay/backend/accel/packed_layer.hpp>
#include <inlay/backend/accel/tile_program.hpp>

namespace accel_test {

using namespace inlay;
using namespace inlay::accel_parts;

class some {
public:
    explicit some(std::uint32_t seed) : random_(seed) {}
    [[nodiscard]] std::int64_t from(std::int64_t low, std::int64_t high) {
        return low + static_cast<std::int64_t>(random_() % static_cast<std::uint32_t>(high - low + 1));
    }
    [[nodiscard]] bool flip() { return random_() % 2 == 0; }

    [[nodiscard]] accel_machine a_machine() {
        accel_machine m;
        m.array = {from(1, 8), from(1, 8), static_cast<array_flow>(from(0, 2))};
        m.dma = {from(1, 16), from(0, 30)};
        m.double_buffering = flip();
        m.scratchpad_bytes = from(64, 512) * accel_machine::line;
        m.accumulator_bytes = from(16, 256) * accel_machine::line;
        return m;
    }
    [[nodiscard]] tap_axis an_axis(bool is_window) {
        tap_axis a;
        a.in = from(1, 7);
        if (!is_window) {
            a.out = a.in;
            return a;
        }
        a.taps = from(1, 3);
        a.stride = from(1, 2);
        a.dilation = from(1, 2);
        a.before = from(0, 2);
        a.out = std::max<std::int64_t>(1, (a.in + 2 * a.before - (a.taps - 1) * a.dilation - 1) / a.stride + 1);
        return a;
    }
    [[nodiscard]] layer a_layer() {
        layer l;
        const bool is_window = flip();
        l.images = from(1, 2);
        l.y = an_axis(is_window);
        l.x = an_axis(is_window);
        l.groups = from(0, 3) == 0 ? from(2, 3) : 1;
        l.channels = from(1, 20);
        l.filters = from(1, 20);
        l.type = static_cast<operand_type>(from(0, 2));
        l.beside = l.type == operand_type::floats ? std::uint8_t{0} : static_cast<std::uint8_t>(from(0, 255));
        return l;
    }
    [[nodiscard]] layer_numbers numbers(const layer& l) {
        layer_numbers n;
        n.weights.resize(static_cast<std::size_t>(l.weight_bytes()));
        if (l.type == operand_type::floats)
            for (std::size_t i = 0; i + 4 <= n.weights.size(); i += 4) {
                const float v = static_cast<float>(from(-8, 8)) / 4;
                std::memcpy(n.weights.data() + i, &v, 4);
            }
        else
            for (std::byte& b : n.weights) b = static_cast<std::byte>(from(0, 255));
        for (std::int64_t f = 0; f < l.groups * l.filters; ++f) {
            n.scales.push_back(l.type == operand_type::floats ? 1.0f : static_cast<float>(from(1, 40)) / 2000);
            n.biases.push_back(static_cast<std::int32_t>(from(-300, 300)));
            n.real_biases.push_back(static_cast<float>(from(-8, 8)) / 2);
        }
        n.zero = static_cast<std::int32_t>(from(-5, 5));
        n.low = static_cast<std::int32_t>(l.type == operand_type::unsigned_bytes ? 0 : from(-128, -10));
        n.high = static_cast<std::int32_t>(l.type == operand_type::unsigned_bytes ? from(100, 255) : from(10, 127));
        n.real_low = flip() ? 0.0f : -1e30f;
        n.real_high = flip() ? 6.0f : 1e30f;
        return n;
    }
    [[nodiscard]] std::vector<std::byte> input(const layer& l) {
        std::vector<std::byte> made(static_cast<std::size_t>(l.in_bytes()));
        if (l.type == operand_type::floats)
            for (std::size_t i = 0; i + 4 <= made.size(); i += 4) {
                const float v = static_cast<float>(from(-8, 8)) / 4;
                std::memcpy(made.data() + i, &v, 4);
            }
        else
            for (std::byte& b : made) b = static_cast<std::byte>(from(0, 255));
        return made;
    }

private:
    std::mt19937 random_;
};

/// What a layer means, place by place. Floats are added up in the order in which the array does: chunk after chunk.
[[nodiscard]] inline std::vector<std::byte> meaning_of(const layer& l, const layer_numbers& n, const std::vector<std::byte>& input) {
    std::vector<std::byte> made(static_cast<std::size_t>(l.out_bytes()));
    const auto number = [&](const std::vector<std::byte>& from, std::int64_t i) {
        if (l.type == operand_type::floats) {
            float v;
            std::memcpy(&v, from.data() + 4 * i, 4);
            return static_cast<double>(v);
        }
        const auto b = static_cast<std::uint8_t>(from[static_cast<std::size_t>(i)]);
        return static_cast<double>(&from == &input && l.type == operand_type::unsigned_bytes ? int{b} : int{static_cast<std::int8_t>(b)});
    };
    const double beside = static_cast<double>(l.type == operand_type::unsigned_bytes ? int{l.beside}
                                              : l.type == operand_type::signed_bytes ? int{static_cast<std::int8_t>(l.beside)}
                                                                                     : 0);
    for (std::int64_t p = 0; p < l.places(); ++p)
        for (std::int64_t f = 0; f < l.groups * l.filters; ++f) {
            const std::int64_t group = f / l.filters;
            const std::int64_t image = p / (l.y.out * l.x.out), oy = p / l.x.out % l.y.out, ox = p % l.x.out;
            double sum = 0;
            for (std::int64_t ty = 0; ty < l.y.taps; ++ty)
                for (std::int64_t tx = 0; tx < l.x.taps; ++tx) {
                    const std::int64_t y = l.y.place(oy, ty), x = l.x.place(ox, tx);
                    const bool is_inside = y >= 0 && y < l.y.in && x >= 0 && x < l.x.in;
                    for (std::int64_t c = 0; c < l.channels; ++c) {
                        const std::int64_t pixel = (image * l.y.in + y) * l.x.in + x;
                        const double in = is_inside ? number(input, (pixel * l.groups + group) * l.channels + c) : beside;
                        sum += in * number(n.weights, ((ty * l.x.taps + tx) * l.channels + c) * l.groups * l.filters + f);
                    }
                }
            const std::int64_t at = p * l.groups * l.filters + f;
            const auto channel = static_cast<std::size_t>(f);
            if (l.type == operand_type::floats) {
                const float v =
                    std::min(std::max((static_cast<float>(sum) + n.real_biases[channel]) * n.scales[channel], n.real_low), n.real_high);
                std::memcpy(made.data() + 4 * at, &v, 4);
            } else {
                const float moved =
                    std::nearbyint(static_cast<float>(static_cast<std::int32_t>(sum) + n.biases[channel]) * n.scales[channel]) +
                    static_cast<float>(n.zero);
                const float cut = std::min(std::max(moved, static_cast<float>(n.low)), static_cast<float>(n.high));
                made[static_cast<std::size_t>(at)] = static_cast<std::byte>(static_cast<std::uint8_t>(static_cast<std::int32_t>(cut)));
            }
        }
    return made;
}

}  // namespace accel_test

#endif
