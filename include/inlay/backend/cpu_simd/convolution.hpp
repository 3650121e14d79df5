// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CPU_SIMD_CONVOLUTION_HPP
#define INLAY_BACKEND_CPU_SIMD_CONVOLUTION_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <inlay/backend/anchored_convolution.hpp>
#include <inlay/backend/cpu_simd/depthwise_convolution.hpp>
#include <inlay/backend/cpu_simd/direct_convolution.hpp>
#include <inlay/backend/cpu_simd/winograd_convolution.hpp>
#include <inlay/backend/float_region.hpp>
#include <inlay/candidate/border_formats.hpp>
#include <inlay/codegen/kernel/kernel.hpp>

namespace inlay::simd {

/// In which form a convolution is computed. Each is a composite of its own: prices decide between them.
enum class convolution_form : std::uint8_t {
    direct,        // windows over the image, or each channel by itself
    winograd,      // squares of four by four results at a time, 3 x 3 windows that move by 1
    winograd_2x2,  // likewise of two by two: more multiplications and a smaller error, fewer weights
    phases         // a transposed convolution: for each place of the stride a convolution of its own, no zeros multiplied
};

/// All phases of a transposed convolution, one after the other over one workspace. The state of a kernel.
struct transposed_convolution {
    std::vector<direct_convolution> phases;

    [[nodiscard]] bool run(const run_arguments& a) const {
        for (const direct_convolution& k : phases)
            if (!k.run(a)) return false;
        return true;
    }
};

/// Convolutions with constant weights and what follows them: factors and terms per channel, another tensor, functions.
struct convolution {
    struct plan : detail::anchored_convolution {
        kernel_epilogue tail;
    };

    [[nodiscard]] static bool is_depthwise(const plan& p) {
        return !p.transposed && p.groups > 1 && p.groups == p.x_extents[1] && p.groups == p.y_extents[1];
    }

    [[nodiscard]] static outcome<plan> read(const region_view& r, convolution_form form, bool winograd_allowed) {
        if (auto fine = detail::check_float_region(r, 5); !fine) return fine.failure();
        auto found = detail::read_anchored_convolution(r, 3, 5);
        if (!found) return found.failure();
        plan p{*std::move(found), {}};
        if (std::string why = refuse(p, form, winograd_allowed); !why.empty()) return error{std::move(why)};
        auto tail = kernel_epilogue::read(r, p.after, p.y_extents, 1, !is_depthwise(p));
        if (!tail) return tail.failure();
        p.tail = *std::move(tail);
        return p;
    }

    /// The tuples in which a form is offered for vectors of `lanes` floats: blocks of channels, from row-major for few channels, and
    /// channels last.
    [[nodiscard]] static std::vector<border_formats> formats(const plan& p, const region_view& r, convolution_form form,
                                                             std::size_t lanes) {
        const layout blocked = blocks_for(lanes);
        std::vector<border_formats> list;
        const auto add = [&](const layout& in, const layout& out) {
            border_formats b = plain_borders(r);
            for (value_id v = 0; v < r.input_count; ++v) b.inputs[v].order = v == p.x ? in : out;
            if (in != out && p.tail.reads(p.x)) return;
            b.results[0].order = out;
            list.push_back(std::move(b));
        };
        const auto whole = static_cast<std::int64_t>(blocked.block);
        const std::int64_t within = p.x_extents[1] / p.groups, across = p.y_extents[1] / p.groups;
        const bool divides = p.groups == 1 || is_depthwise(p) || (within % whole == 0 && across % whole == 0);
        if (divides) add(blocked, blocked);
        if (form == convolution_form::direct && p.groups == 1 && p.x_extents[1] <= 4) {
            add(layout::plain(), blocked);
            add(layout::plain(), layout::channels_last());
        }
        if (!is_winograd(form) || p.x_extents[1] % static_cast<std::int64_t>(lanes) == 0)
            add(layout::channels_last(), layout::channels_last());
        return list;
    }

    template <class B>
    [[nodiscard]] static outcome<kernel> build(const B& self, const plan& p, const region_view& r, convolution_form form) {
        const layout &in = r.input_formats[p.x].order, &out = r.result_formats[0].order;
        const image_order x = image_order::of(in, number(p.x_extents[1]), spatial_of(p.x_extents, 1, 2));
        const image_order y = image_order::of(out, number(p.y_extents[1]), spatial_of(p.y_extents, 1, 2));
        const window_shape shape =
            shape_of(p.window, number(p.x_extents[1] / p.groups), number(p.y_extents[1] / p.groups), x.extents, y.extents);
        builder<B> b{self, p, *self.table(), x, y, shape, p.tail};
        if (auto bound = b.tail.bind(r, p.y_extents, 1, out); !bound) return bound.failure();
        if (is_depthwise(p)) return b.depthwise();
        switch (form) {
            case convolution_form::winograd:
                return b.template winograd<4>();
            case convolution_form::winograd_2x2:
                return b.template winograd<2>();
            case convolution_form::phases:
                return b.phases();
            case convolution_form::direct:
                break;
        }
        return b.direct();
    }

private:
    [[nodiscard]] static std::ptrdiff_t number(std::int64_t n) { return static_cast<std::ptrdiff_t>(n); }
    [[nodiscard]] static bool is_winograd(convolution_form form) {
        return form == convolution_form::winograd || form == convolution_form::winograd_2x2;
    }

    [[nodiscard]] static std::string refuse(const plan& p, convolution_form form, bool winograd_allowed) {
        if (!is_winograd(form)) {
            if (is_depthwise(p) && p.x_extents.size() == 5) return "depthwise windows of three axes are not computed by these kernels";
            return "";
        }
        std::string why = p.why_no_winograd(winograd_allowed);
        if (why.empty() && form == convolution_form::winograd_2x2 && !winograd_2x2_may_win(p.x_extents[0], p.y_extents[2], p.y_extents[3]))
            return "Winograd's form of 2 x 2 results is offered for small images: on " + std::to_string(p.y_extents[2]) + " x " +
                   std::to_string(p.y_extents[3]) + " results the form of 4 x 4 does less work";
        return why;
    }

    /// Makes the state of a kernel.
    template <class B>
    struct builder {
        const B& self;
        const plan& p;
        const kernel_table& table;
        image_order x, y;
        window_shape shape;  // of one group
        kernel_epilogue tail;

        [[nodiscard]] static error no_memory() { return error{"there is no memory for the packed weights"}; }

        /// The weight of an output and an input channel of a group at a place of the window, times the scale of its output.
        [[nodiscard]] float weight(std::ptrdiff_t group, std::ptrdiff_t output, std::ptrdiff_t input, std::ptrdiff_t place) const {
            const window_shape& s = shape;
            const std::ptrdiff_t window = s.kernel[0] * s.kernel[1] * s.kernel[2];
            const std::ptrdiff_t filter =
                p.transposed ? (group * s.inputs + input) * s.outputs + output : (group * s.outputs + output) * s.inputs + input;
            const double w = p.weights->as<float>()[static_cast<std::size_t>(filter * window + place)];
            return static_cast<float>(w * p.line.scale[static_cast<std::size_t>(group * s.outputs + output)]);
        }
        [[nodiscard]] float bias(std::ptrdiff_t group, std::ptrdiff_t output) const {
            return static_cast<float>(p.line.shift[static_cast<std::size_t>(group * shape.outputs + output)]);
        }
        /// Columns of a group's filter: its channels, those that fill the last block included.
        [[nodiscard]] std::size_t columns_of_group() const {
            return static_cast<std::size_t>(y.fills() ? rounded_up(shape.outputs, y.order.block) : shape.outputs);
        }

        /// A convolution whose weight at window place (z, h, w) is the filter's at `place_of(z, h, w)`.
        template <class PlaceOf>
        [[nodiscard]] outcome<direct_convolution> make(window_shape s, PlaceOf&& place_of) const {
            direct_convolution k;
            k.table = &table;
            k.x = x;
            k.y = y;
            k.images = number(p.x_extents[0]);
            k.groups = number(p.groups);
            k.input = p.x;
            k.after = tail;
            const bool apart = s.y != y.extents;
            if (s.is_pointwise() && !apart) {
                // All places are one row; images too, where they lie side by side.
                const bool joined = x.order.kind == layout::form::channels_last && y.order.kind == layout::form::channels_last;
                const std::ptrdiff_t places = s.x[0] * s.x[1] * s.x[2] * (joined ? k.images : 1);
                if (joined) k.images = 1;
                k.x = image_order::of(x.order, x.channels, {1, 1, places});
                k.y = image_order::of(y.order, y.channels, {1, 1, places});
                s.x = s.y = {1, 1, places};
            }
            const std::size_t columns = columns_of_group();
            tile_size size = best_tile(table, static_cast<std::size_t>(s.y[2]), columns);
            auto tiles = needs_copy(s) ? std::nullopt : window_tiles::make(s, k.x, size.rows);
            if (!tiles) {
                spatial extents{};
                for (std::size_t i = 0; i < 3; ++i) extents[i] = (s.y[i] - 1) * s.strides[i] + (s.kernel[i] - 1) * s.dilations[i] + 1;
                const image_order padded = image_order::of(x.order, x.channels, extents);
                k.copied = padded_copy{k.x, padded, s.before, k.images};
                k.x = padded;
                s.x = extents;
                s.before = {0, 0, 0};
                tiles = window_tiles::make(s, k.x, size.rows);
            }
            k.tiles = *std::move(tiles);
            k.shape = s;
            const auto depth = static_cast<std::size_t>(s.inputs * s.kernel[0] * s.kernel[1] * s.kernel[2]);
            struct row {
                std::ptrdiff_t input, place;
            };
            std::vector<row> rows;  // of a group's packed weights
            rows.reserve(depth);
            window_tiles::for_each_depth(s, k.x, [&](std::ptrdiff_t c, std::ptrdiff_t z, std::ptrdiff_t h, std::ptrdiff_t w) {
                rows.push_back({c, place_of(z, h, w)});
            });
            digest_builder of;
            if (self.weights != nullptr) of.add(p.numbers()).add_bytes(rows.data(), rows.size() * sizeof(row));
            for (std::ptrdiff_t g = 0; g < k.groups; ++g) {
                const auto fill = [&](panels& b) {
                    for (std::size_t at = 0; at < rows.size(); ++at)
                        b.set_row(at, [&](std::size_t o) {
                            const auto output = static_cast<std::ptrdiff_t>(o);
                            return output < s.outputs ? weight(g, output, rows[at].input, rows[at].place) : 0.0f;
                        });
                    for (std::ptrdiff_t o = 0; o < s.outputs; ++o) b.set_bias(static_cast<std::size_t>(o), bias(g, o));
                };
                of.add(std::int64_t{g});
                k.filter.push_back(panels::filled(depth, columns, size.vectors, table.lanes, self.weights, of.finish(), fill));
                if (k.filter.back().is_empty()) return no_memory();
            }
            return k;
        }

        /// Whether the windows of a shape reach beside the input where the kernel does not cut them off: along depth, and along height
        /// where they are deep.
        [[nodiscard]] static bool needs_copy(const window_shape& s) {
            const auto reaches = [&](std::size_t i) {
                return s.before[i] > 0 || (s.y[i] - 1) * s.strides[i] - s.before[i] + (s.kernel[i] - 1) * s.dilations[i] >= s.x[i];
            };
            return reaches(0) || (s.kernel[0] > 1 && reaches(1));
        }

        [[nodiscard]] outcome<kernel> direct() const {
            const window_shape& s = shape;
            auto k = make(s, [&](std::ptrdiff_t z, std::ptrdiff_t h, std::ptrdiff_t w) { return (z * s.kernel[1] + h) * s.kernel[2] + w; });
            if (!k) return k.failure();
            const std::size_t workspace = k->workspace();
            return self.finish(*std::move(k), "direct", workspace);
        }

        [[nodiscard]] outcome<kernel> depthwise() const {
            depthwise_convolution k;
            k.table = &table;
            k.rows = {shape, x, y, number(p.x_extents[0]), table.lanes};
            k.rows.shape.outputs = y.channels;
            k.input = p.x;
            k.after = tail;
            const std::ptrdiff_t window = shape.kernel[1] * shape.kernel[2];
            k.filter = panels(static_cast<std::size_t>(window), static_cast<std::size_t>(y.stored()), 1, table.lanes);
            if (k.filter.is_empty()) return no_memory();
            for (std::ptrdiff_t c = 0; c < y.channels; ++c) {
                for (std::ptrdiff_t i = 0; i < window; ++i)
                    k.filter.set(static_cast<std::size_t>(i), static_cast<std::size_t>(c), weight(c, 0, 0, i));
                k.filter.set_bias(static_cast<std::size_t>(c), bias(c, 0));
            }
            return self.finish(std::move(k), "depthwise");
        }

        template <std::size_t Results>
        [[nodiscard]] outcome<kernel> winograd() const {
            constexpr std::size_t matrices = (Results + 2) * (Results + 2);
            winograd_convolution k;
            k.results = Results;
            k.table = &table;
            k.shape = shape;
            k.x = x;
            k.y = y;
            k.images = number(p.x_extents[0]);
            k.input = p.x;
            k.after = tail;
            k.plan(static_cast<std::size_t>(self.threads));
            const auto inputs = static_cast<std::size_t>(k.shape.inputs), outputs = static_cast<std::size_t>(k.shape.outputs);
            const std::size_t columns = k.m_columns();
            digest_builder of;
            if (self.weights != nullptr) of.add(Results == 4 ? "winograd" : "winograd 2x2").add(p.numbers());
            k.filter = panels::filled(matrices * inputs, columns, k.size.vectors, table.lanes, self.weights, of.finish(), [&](panels& b) {
                for (std::size_t o = 0; o < outputs; ++o)
                    for (std::size_t i = 0; i < inputs; ++i) {
                        std::array<double, 9> g;
                        for (std::size_t w = 0; w < 9; ++w)
                            g[w] = static_cast<double>(p.weights->as<float>()[(o * inputs + i) * 9 + w]) * p.line.scale[o];
                        const std::array<double, matrices> u = winograd_filter<Results>(g);
                        for (std::size_t m = 0; m < matrices; ++m) b.set(m * inputs + i, o, static_cast<float>(u[m]));
                    }
            });
            if (k.filter.is_empty()) return no_memory();
            k.bias.assign(columns, 0);
            for (std::size_t o = 0; o < outputs; ++o) k.bias[o] = static_cast<float>(p.line.shift[o]);
            const std::size_t workspace = k.workspace();
            return self.finish(std::move(k), Results == 4 ? "winograd F(4x4,3x3)" : "winograd F(2x2,3x3)", workspace);
        }

        /// Result place `o` along an axis is reached from input place `i` by window place `w` where `o = i * stride - before + w *
        /// dilation`. The places of one remainder of `o + before` by the stride are a convolution over the input whose window holds every w
        /// with `w * dilation` of that remainder, in falling order.
        struct axis_phase {
            std::ptrdiff_t first = 0, count = 0;      // places of the result: first, first + stride, ...
            std::vector<std::ptrdiff_t> places;       // of the filter's window, in the order of the phase's window
            std::ptrdiff_t before = 0, dilation = 1;  // of the phase's window over the input
        };
        [[nodiscard]] std::vector<axis_phase> phases_of(std::size_t axis) const {
            const window_shape& s = shape;
            const std::ptrdiff_t stride = s.strides[axis], extent = y.extents[axis];
            std::vector<axis_phase> list;
            for (std::ptrdiff_t first = 0; first < std::min(stride, extent); ++first) {
                axis_phase f;
                f.first = first;
                f.count = (extent - first + stride - 1) / stride;
                std::vector<std::ptrdiff_t> offsets;  // of the input place from the phase's place
                for (std::ptrdiff_t w = s.kernel[axis]; w-- > 0;) {
                    const std::ptrdiff_t over = first + s.before[axis] - w * s.dilations[axis];
                    if (over % stride != 0) continue;
                    f.places.push_back(w);
                    offsets.push_back(over / stride);
                }
                if (!offsets.empty()) f.before = -offsets[0];
                if (offsets.size() > 1) f.dilation = offsets[1] - offsets[0];
                list.push_back(std::move(f));
            }
            return list;
        }

        [[nodiscard]] outcome<kernel> phases() const {
            transposed_convolution all;
            std::size_t workspace = 0;
            for (const axis_phase& z : phases_of(0))
                for (const axis_phase& h : phases_of(1))
                    for (const axis_phase& w : phases_of(2)) {
                        window_shape s = shape;
                        const std::array<const axis_phase*, 3> axes{&z, &h, &w};
                        bool reached = true;
                        for (std::size_t i = 0; i < 3; ++i) {
                            reached = reached && !axes[i]->places.empty();
                            s.kernel[i] = static_cast<std::ptrdiff_t>(std::max<std::size_t>(axes[i]->places.size(), 1));
                            s.strides[i] = 1;
                            s.dilations[i] = axes[i]->dilation;
                            s.before[i] = axes[i]->before;
                            s.y[i] = axes[i]->count;
                        }
                        const std::ptrdiff_t rows = shape.kernel[1], columns = shape.kernel[2];
                        // Places that no input reaches hold the bias alone: a window far beside the input.
                        if (!reached) {
                            s.kernel = {1, 1, 1};
                            s.before = {0, s.x[1] + s.y[1], 0};
                        }
                        auto k = make(s, [&](std::ptrdiff_t i, std::ptrdiff_t j, std::ptrdiff_t l) -> std::ptrdiff_t {
                            if (!reached) return 0;
                            return (z.places[static_cast<std::size_t>(i)] * rows + h.places[static_cast<std::size_t>(j)]) * columns +
                                   w.places[static_cast<std::size_t>(l)];
                        });
                        if (!k) return k.failure();
                        k->y_first = {z.first, h.first, w.first};
                        k->y_apart = shape.strides;
                        workspace = std::max(workspace, k->workspace());
                        all.phases.push_back(*std::move(k));
                    }
            return self.finish(std::move(all), "phases", workspace);
        }
    };
};

/// One form of a convolution as the third part of a composite.
template <convolution_form Form>
struct convolution_entry {
    using plan = convolution::plan;

    template <class B, class Match>
    [[nodiscard]] outcome<plan> read(const B& self, const Match& m) const {
        return convolution::read(m.region(), Form, self.winograd);
    }
    template <class B>
    [[nodiscard]] std::vector<border_formats> formats(const B& self, const plan& p, const region_view& r) const {
        const kernel_table* table = self.table();
        return table == nullptr ? std::vector<border_formats>() : convolution::formats(p, r, Form, table->lanes);
    }
    template <class B>
    [[nodiscard]] outcome<kernel> emit(const B& self, const plan& p, const region_view& r) const {
        if (auto ready = self.check(r, formats(self, p, r)); !ready) return ready.failure();
        return convolution::build(self, p, r, Form);
    }
};

}  // namespace inlay::simd

#endif
