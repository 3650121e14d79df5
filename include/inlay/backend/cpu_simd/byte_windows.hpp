// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CPU_SIMD_BYTE_WINDOWS_HPP
#define INLAY_BACKEND_CPU_SIMD_BYTE_WINDOWS_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include <inlay/accelerator/tap_axis.hpp>
#include <inlay/backend/cpu_simd/byte_panels.hpp>
#include <inlay/backend/cpu_simd/kernel_table.hpp>
#include <inlay/backend/cpu_simd/panel_walk.hpp>
#include <inlay/backend/cpu_simd/window_tiles.hpp>
#include <inlay/codegen/kernel/kernel.hpp>
#include <inlay/codegen/kernel/share_work.hpp>

namespace inlay::simd {

/// Quantised convolutions over images with channels last, and products, which have no windows. The input is first written as words between
/// its pads, where it does not stand as such words already: then every place of a result reads runs of words alike. The state of a kernel.
struct byte_windows {
    /// The places of a row that are written as words in one go.
    static constexpr std::ptrdiff_t places_at_once = 256;

    const kernel_table* table = nullptr;
    bool by_quads = false;
    std::ptrdiff_t images = 1, groups = 1, channels = 1, filters = 1;  // channels and filters of one group
    tap_axis y, x;
    bool is_signed = false;   // the input's bytes
    std::int32_t beside = 0;  // the number that stands for what is beside the image
    float zero = 0, low = 0, high = 0;
    tile_size size;
    std::vector<byte_panels> packed;  // of each group
    std::vector<word_run> runs;       // of a window

    [[nodiscard]] const byte_tiles& tiles() const { return by_quads ? table->byte_quads : table->byte_pairs; }
    [[nodiscard]] std::ptrdiff_t numbers_of_word() const { return by_quads ? 4 : 2; }
    /// Words of a place's channels, of one group and of all.
    [[nodiscard]] std::ptrdiff_t group_words() const { return (channels + numbers_of_word() - 1) / numbers_of_word(); }
    [[nodiscard]] std::ptrdiff_t place_words() const { return groups * group_words(); }
    /// How many places along an axis windows reach.
    [[nodiscard]] static std::ptrdiff_t reach(const tap_axis& a) { return (a.out - 1) * a.stride + (a.taps - 1) * a.dilation + 1; }
    /// Whether the input's bytes are the words that tiles read.
    [[nodiscard]] bool reads_in_place() const {
        const auto is_inside = [](const tap_axis& a) { return a.before == 0 && reach(a) <= a.in; };
        return by_quads && !is_signed && channels % 4 == 0 && is_inside(y) && is_inside(x);
    }
    /// Words of a row, and rows of an image.
    [[nodiscard]] std::ptrdiff_t row_words() const { return (reads_in_place() ? x.in : reach(x)) * place_words(); }
    [[nodiscard]] std::ptrdiff_t rows() const { return reads_in_place() ? y.in : reach(y); }
    [[nodiscard]] std::size_t workspace() const {
        return reads_in_place() ? 0 : static_cast<std::size_t>(images * rows() * row_words()) * sizeof(std::uint32_t);
    }
    /// Of a window, in words.
    [[nodiscard]] std::ptrdiff_t depth() const { return y.taps * x.taps * group_words(); }

    /// Sets the runs of a window; call once all numbers above are set. Packed weights stand in their order.
    void plan() {
        size = best_tile(tiles().rows, table->lanes, static_cast<std::size_t>(x.out), static_cast<std::size_t>(filters));
        const bool is_one_run = groups == 1 && x.dilation == 1;
        for (std::ptrdiff_t row = 0; row < y.taps; ++row)
            for (std::ptrdiff_t place = 0; place < (is_one_run ? 1 : x.taps); ++place)
                runs.push_back({row * y.dilation * row_words() + place * x.dilation * place_words(),
                                static_cast<std::uint32_t>((is_one_run ? x.taps : 1) * group_words())});
    }

    [[nodiscard]] bool run(const run_arguments& run) const {
        const auto* from = static_cast<const std::uint8_t*>(run.inputs[0]);
        auto* to = static_cast<std::uint8_t*>(run.results[0]);
        const auto* words = reinterpret_cast<const std::uint32_t*>(from);
        if (!reads_in_place()) {
            auto* written = reinterpret_cast<std::uint32_t*>(run.workspace);
            const std::ptrdiff_t pieces = (reach(x) + places_at_once - 1) / places_at_once;
            share(run.executor, static_cast<std::size_t>(images * rows() * pieces),
                  static_cast<double>(std::min(places_at_once, reach(x)) * place_words() * 4), [&](std::size_t begin, std::size_t end) {
                      for (auto u = static_cast<std::ptrdiff_t>(begin); u < static_cast<std::ptrdiff_t>(end); ++u) {
                          const std::ptrdiff_t row = u / pieces, first = u % pieces * places_at_once;
                          write_places(from, row / rows(), row % rows(), first, std::min(first + places_at_once, reach(x)),
                                       written + row * row_words());
                      }
                  });
            words = written;
        }
        // A result that is one row is cut by places, others by rows.
        const bool is_one_row = images * y.out == 1;
        const auto lines = static_cast<std::size_t>(is_one_row ? x.out : images * y.out), panel_count = packed[0].count();
        constexpr std::size_t near_words = (std::size_t{256} << 10) / sizeof(std::uint32_t);
        const auto line_words = static_cast<std::size_t>(is_one_row ? depth() : y.stride * row_words());
        const std::size_t threads = run.executor.threads();
        const panel_walk walk = panel_walk::of(lines, panel_count, packed[0].bytes(), near_words / std::max<std::size_t>(line_words, 1),
                                               is_one_row ? size.rows : 1, packed.size(), threads > 1 ? threads * 8 : 1);
        const double work = 2.0 * static_cast<double>(std::min(walk.block, lines)) * static_cast<double>(is_one_row ? 1 : x.out) *
                            static_cast<double>(depth() * numbers_of_word()) * static_cast<double>(packed[0].width());
        share(run.executor, packed.size() * walk.units(), work, [&](std::size_t begin, std::size_t end) {
            for (std::size_t u = begin; u < end; ++u) {
                const panel_walk::unit part = walk.at(u % walk.units());
                const std::size_t group = u / walk.units();
                if (is_one_row)
                    places(words, to, group, part.panel, 0, part.first, part.past);
                else
                    for (std::size_t line = part.first; line < part.past; ++line)
                        places(words, to, group, part.panel, line, 0, static_cast<std::size_t>(x.out));
            }
        });
        return true;
    }

private:
    /// Results of a row of the result, from place to place, of the columns of a panel.
    void places(const std::uint32_t* words, std::uint8_t* to, std::size_t group, std::size_t panel, std::size_t line, std::size_t first,
                std::size_t past) const {
        const byte_panels& b = packed[group];
        const auto row = static_cast<std::ptrdiff_t>(line), image = row / y.out, at = row % y.out;
        const std::uint32_t* from =
            words + (image * rows() + at * y.stride) * row_words() + static_cast<std::ptrdiff_t>(group) * group_words();
        byte_tile_job j;
        j.a_row = x.stride * place_words();
        j.b = b.at(panel);
        j.runs = runs.data();
        j.run_count = runs.size();
        j.start = b.starts(panel);
        j.scale = b.scales(panel);
        j.zero = zero;
        j.low = low;
        j.high = high;
        j.y_row = groups * filters;
        j.columns = b.columns(panel);
        const std::ptrdiff_t column = static_cast<std::ptrdiff_t>(group) * filters + static_cast<std::ptrdiff_t>(panel * b.width());
        each_tile(past - first, size.rows, [&](std::size_t place, std::size_t n) {
            const auto begin = static_cast<std::ptrdiff_t>(first + place);
            j.a = from + begin * j.a_row;
            j.y = to + (row * x.out + begin) * j.y_row + column;
            tiles().tiles[b.vectors(panel) - 1][n - 1](j);
        });
    }

    /// Places of a padded row of an image, as words.
    void write_places(const std::uint8_t* from, std::ptrdiff_t image, std::ptrdiff_t row, std::ptrdiff_t first, std::ptrdiff_t past,
                      std::uint32_t* to) const {
        const std::ptrdiff_t in_row = row - y.before;
        const bool is_inside = in_row >= 0 && in_row < y.in;
        const std::ptrdiff_t begin = is_inside ? std::clamp(x.before, first, past) : past;
        const std::ptrdiff_t end = is_inside ? std::clamp(x.before + x.in, begin, past) : past;
        write_beside(to, first, begin);
        write_beside(to, end, past);
        if (begin == end) return;
        const std::ptrdiff_t all = groups * channels;
        const std::uint8_t* in = from + ((image * y.in + in_row) * x.in + begin - x.before) * all;
        if (channels % numbers_of_word() == 0) return write_numbers(in, (end - begin) * all, to + begin * place_words());
        // What fills up the last word of a group is multiplied by weights of 0, so that it may be the next channels.
        const std::uint8_t* last = from + images * y.in * x.in * all - numbers_of_word();
        std::uint32_t* word = to + begin * place_words();
        for (std::ptrdiff_t left = (end - begin) * groups; left > 0; --left, in += channels)
            for (std::ptrdiff_t c = 0; c < channels; c += numbers_of_word())
                *word++ = in + c <= last ? word_at(in + c) : last_word(in + c, channels - c);
    }

    /// Numbers side by side that fill whole words.
    void write_numbers(const std::uint8_t* in, std::ptrdiff_t count, std::uint32_t* to) const {
        if (!by_quads) {
            widening_job j;
            j.x = in;
            j.y = reinterpret_cast<std::int16_t*>(to);
            j.count = static_cast<std::size_t>(count);
            j.is_signed = is_signed;
            j.zero = static_cast<std::int16_t>(beside);
            return table->widen(j);
        }
        for (std::ptrdiff_t i = 0; i < count; i += 4) *to++ = word_at(in + i);
    }
    /// The numbers of one word, as many as it holds.
    [[nodiscard]] std::uint32_t word_at(const std::uint8_t* in) const {
        if (!by_quads) return pair(in[0], in[1]);
        std::uint32_t word;
        std::memcpy(&word, in, sizeof word);
        return word ^ flipped();
    }
    /// The same where the input ends after `count` numbers.
    [[nodiscard]] std::uint32_t last_word(const std::uint8_t* in, std::ptrdiff_t count) const {
        std::uint8_t some[4] = {};
        std::memcpy(some, in, static_cast<std::size_t>(std::min(count, numbers_of_word())));
        return word_at(some);
    }
    [[nodiscard]] std::uint32_t pair(std::uint8_t earlier, std::uint8_t later) const {
        const auto number = [&](std::uint8_t byte) {
            return static_cast<std::uint16_t>((is_signed ? static_cast<std::int8_t>(byte) : std::int32_t{byte}) - beside);
        };
        return std::uint32_t{number(earlier)} | std::uint32_t{number(later)} << 16;
    }
    /// Places beside the image.
    void write_beside(std::uint32_t* to, std::ptrdiff_t first, std::ptrdiff_t past) const {
        const std::uint32_t word = by_quads ? 0x0101'0101u * static_cast<std::uint8_t>(beside) ^ flipped() : 0;
        std::fill(to + first * place_words(), to + past * place_words(), word);
    }
    /// What makes unsigned bytes, 128 more, of signed ones.
    [[nodiscard]] std::uint32_t flipped() const { return is_signed ? 0x8080'8080u : 0; }
};

}  // namespace inlay::simd

#endif
