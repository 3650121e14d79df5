// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CPU_SIMD_QUANTIZED_PRODUCT_HPP
#define INLAY_BACKEND_CPU_SIMD_QUANTIZED_PRODUCT_HPP

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <inlay/backend/cpu_simd/byte_depthwise.hpp>
#include <inlay/backend/cpu_simd/byte_panels.hpp>
#include <inlay/backend/cpu_simd/byte_windows.hpp>
#include <inlay/backend/float_region.hpp>
#include <inlay/backend/quantized_layer.hpp>
#include <inlay/candidate/border_formats.hpp>
#include <inlay/codegen/kernel/kernel.hpp>

namespace inlay::simd {

/// QLinearConv and QLinearMatMul with constant weights, as the third part of composites. Results are the bytes of the operators'
/// definition. Where the processor multiplies four bytes at once and the weights fit it, it does; else pairs of 16 bits.
struct quantized_product_entry {
    using plan = detail::quantized_layer;

    template <class B, class Match>
    [[nodiscard]] outcome<plan> read(const B&, const Match& m) const {
        return plan::read(m.region());
    }

    /// Images with channels last, matrices row-major.
    template <class B>
    [[nodiscard]] std::vector<border_formats> formats(const B& self, const plan& p, const region_view& r) const {
        return p.is_image ? self.channels_last(r) : self.row_major(r);
    }

    template <class B>
    [[nodiscard]] outcome<kernel> emit(const B& self, const plan& p, const region_view& r) const {
        if (auto ready = self.check(r, formats(self, p, r)); !ready) return ready.failure();
        if (p.groups > 1 && p.channels == 1 && p.filters == 1)
            return self.finish(byte_depthwise::of(*self.table(), p), "depthwise product of bytes");
        const bool by_quads = processor_has_byte_quads(self.table()->set) && has_small_weights(p);
        auto k = made(*self.table(), by_quads, p, self.weights);
        if (!k) return k.failure();
        const std::size_t workspace = k->workspace();
        return self.finish(*std::move(k), by_quads ? "product of bytes in fours" : "product of bytes in pairs", workspace);
    }

    /// Whether all weights are bytes once their zero points are taken off.
    [[nodiscard]] static bool has_small_weights(const plan& p) {
        if (p.steps.check_centred()) return true;
        for (std::int64_t f = 0; f < p.groups * p.filters; ++f)
            for (std::int64_t c = 0; c < p.channels; ++c)
                for (std::int64_t t = 0; t < p.taps(); ++t)
                    if (const std::int32_t w = p.weight(f, c, t); w < -128 || w > 127) return false;
        return true;
    }

    /// The state of the kernel. Error: no memory.
    [[nodiscard]] static outcome<byte_windows> made(const kernel_table& table, bool by_quads, const plan& given, weight_store* store) {
        const plan p = given.flattened();
        byte_windows k;
        k.table = &table;
        k.by_quads = by_quads;
        k.images = p.images;
        k.groups = p.groups;
        k.channels = p.channels;
        k.filters = p.filters;
        k.y = p.y;
        k.x = p.x;
        k.is_signed = p.is_signed;
        k.beside = p.steps.x_zero;
        k.zero = static_cast<float>(p.steps.y_zero);
        k.low = static_cast<float>(p.steps.low);
        k.high = static_cast<float>(p.steps.high);
        k.plan();
        for (std::int64_t g = 0; g < p.groups; ++g) {
            digest_builder of;
            if (store != nullptr) {
                of.add(by_quads ? "quads" : "pairs").add(p.steps.weights->content()).add(p.steps.weight_zeros->content());
                for (const std::int64_t n : {std::int64_t{p.is_image}, g, p.groups, p.taps()}) of.add(n);
            }
            byte_panels b =
                byte_panels::filled(static_cast<std::size_t>(k.depth()), static_cast<std::size_t>(p.filters), k.size.vectors, table.lanes,
                                    store, of.finish(), [&](std::size_t depth, std::size_t column) {
                                        return word(k, p, g, static_cast<std::int64_t>(depth), static_cast<std::int64_t>(column));
                                    });
            if (b.is_empty()) return error{"there is no memory for the packed weights"};
            for (std::int64_t f = 0; f < p.filters; ++f) set_column(k, p, g, f, b);
            k.packed.push_back(std::move(b));
        }
        return k;
    }

private:
    /// Weights of one word, the first channel in its lowest part.
    [[nodiscard]] static std::uint32_t word(const byte_windows& k, const plan& p, std::int64_t group, std::int64_t depth,
                                            std::int64_t filter) {
        const std::int64_t tap = depth / k.group_words(), first = depth % k.group_words() * k.numbers_of_word();
        const unsigned bits = k.by_quads ? 8 : 16;
        std::uint32_t made = 0;
        for (std::int64_t i = 0; i < k.numbers_of_word() && first + i < p.channels; ++i) {
            const auto number = static_cast<std::uint32_t>(p.weight(group * p.filters + filter, first + i, tap));
            made |= (number & ((1u << bits) - 1)) << (bits * static_cast<unsigned>(i));
        }
        return made;
    }
    /// What the input's bytes have too much, by their zero point or as unsigned ones, goes off the beginning of the sum.
    static void set_column(const byte_windows& k, const plan& p, std::int64_t group, std::int64_t filter, byte_panels& to) {
        const std::int64_t f = group * p.filters + filter;
        auto start = static_cast<std::uint32_t>(p.steps.start(static_cast<std::size_t>(f)));
        const auto too_much = static_cast<std::uint32_t>(k.beside + (k.is_signed ? 128 : 0));
        if (k.by_quads && too_much != 0)
            for (std::int64_t c = 0; c < p.channels; ++c)
                for (std::int64_t t = 0; t < p.taps(); ++t) start -= too_much * static_cast<std::uint32_t>(p.weight(f, c, t));
        to.set_column(static_cast<std::size_t>(filter), static_cast<std::int32_t>(start), p.steps.scale(static_cast<std::size_t>(f)));
    }
};

}  // namespace inlay::simd

#endif
