// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_ONEDNN_CONV_HPP
#define INLAY_BACKEND_ONEDNN_CONV_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/backend/anchored_convolution.hpp>
#include <inlay/backend/float_region.hpp>
#include <inlay/backend/onednn/conv_weights.hpp>
#include <inlay/backend/onednn/post_ops.hpp>
#include <inlay/backend/onednn/program.hpp>
#include <inlay/candidate/border_formats.hpp>
#include <inlay/codegen/kernel/kernel.hpp>

namespace inlay::detail {

/// In which form a convolution is computed. Each is a composite of its own: prices decide between them.
enum class onednn_conv_form : std::uint8_t {
    direct,    // the library's own choice of a loop over windows
    winograd,  // after Winograd's minimal filtering (Lavin and Gray, 2016): fewer products, slightly less exact
    product    // a matrix product of the channels: windows of 1, or transposed windows that do not overlap
};

/// Convolution and transposed convolution with constant weights. A bias, batch normalisation and other per-channel factors and terms that
/// follow are folded into weights and bias; then come activations and element-wise operations with tensors of the result's shape.
struct onednn_conv {
    struct plan : anchored_convolution {
        bool shifted = false;
        std::size_t first_byte = 0;  // of a slice in the result, and in what has its shape
        // Of a transposed convolution: which rows of its windows, and which columns of them, each with its channels.
        struct patches {
            std::int64_t from_row = 0, past_row = 0, from = 0, past = 0;
        };
        patches patch{};
    };

    static constexpr auto pattern_of_conv() { return anchored_convolution::pattern_of_conv(); }
    static constexpr auto pattern_of_transposed() { return anchored_convolution::pattern_of_transposed(); }

    [[nodiscard]] static outcome<plan> read(const region_view& r) {
        if (auto fine = check_float_region(r, onednn_most_axes); !fine) return fine.failure();
        auto found = read_anchored_convolution(r, 3, 5);
        if (!found) return found.failure();
        plan p{*std::move(found)};
        if (p.transposed) p.patch = {0, p.window.kernel[0], 0, p.window.kernel.back() * p.y_extents[1]};
        p.shifted = std::any_of(p.line.shift.begin(), p.line.shift.end(), [](double n) { return n != 0; });
        for (const chain_step& s : p.after) {
            const std::string op(r[s.call].op);
            if (s.kind == chain_step::form::batch_norm)
                return error{"a batch normalisation does not follow the convolution directly, or its statistics are no constants"};
            if (s.kind != chain_step::form::combine) continue;
            if (p.transposed) return error{op + " with another tensor does not follow a transposed convolution in its primitive"};
            if (static_shape(r.type(s.call)) != p.y_extents || !r[s.other].type->is_tensor() ||
                static_shape(r.type(s.other)) != p.y_extents || r.type(s.other).element != element_type::float32)
                return error{op + " after the convolution takes another tensor of type " + to_string(*r[s.other].type) +
                             ", not of the result's " + to_string(*r[s.call].type)};
            if (r[s.other].kind == region_value::role::constant && float_constant(r, s.other) == nullptr)
                return error{"a constant after the convolution is not of float32"};
        }
        return p;
    }

    /// The tuples worth asking for, the library's own order first: blocked throughout, from row-major to blocked for few channels,
    /// channels last, and row-major.
    [[nodiscard]] static std::vector<border_formats> proposals(const plan& p, const region_view& r) {
        const layout blocked = layout::channels_blocked(onednn_block());
        std::vector<border_formats> list;
        const auto add = [&](const layout& in, const layout& out) {
            border_formats b = plain_borders(r);
            for (value_id v = 0; v < r.input_count; ++v) b.inputs[v].order = v == p.x ? in : out;
            if (in != out)
                for (const chain_step& s : p.after)
                    if (s.kind == chain_step::form::combine && s.other == p.x) return;
            b.results[0].order = out;
            list.push_back(std::move(b));
        };
        add(blocked, blocked);
        add(layout::plain(), blocked);
        add(layout::channels_last(), layout::channels_last());
        add(layout::plain(), layout::plain());
        return list;
    }

    /// What the library would do for one tuple: one primitive, or a convolution and what follows as primitives on its result.
    struct description {
        onednn_primitive first;
        bool product = false;   // a matrix product
        std::size_t fused = 0;  // how many of the plan's steps stand in the first primitive
        onednn_primitive tail;  // where not empty: combines the result with the tensor of the next step
        std::vector<onednn_primitive> functions;

        [[nodiscard]] bool is_reference() const {
            return first.is_reference() || (tail && tail.is_reference()) ||
                   std::any_of(functions.begin(), functions.end(), [](const onednn_primitive& f) { return f.is_reference(); });
        }
    };

    [[nodiscard]] static outcome<description> describe(const plan& p, onednn_conv_form form, const dnnl::engine& engine,
                                                       const border_formats& b) {
        const layout &in = b.inputs[p.x].order, &out = b.results[0].order;
        if (!onednn_has_layout(p.x_extents.size(), in) || !onednn_has_layout(p.y_extents.size(), out))
            return error{"oneDNN has no such layout"};
        const describer maker{p, engine, in, out, onednn_desc(p.y_extents, out)};
        switch (form) {
            case onednn_conv_form::winograd:
                return maker.winograd();
            case onednn_conv_form::product:
                return maker.product();
            case onednn_conv_form::direct:
                break;
        }
        return maker.direct();
    }

    /// Why a plan has no such form; empty where it may have.
    [[nodiscard]] static std::string refuse(const plan& p, onednn_conv_form form, bool winograd_allowed) {
        switch (form) {
            case onednn_conv_form::winograd:
                return p.why_no_winograd(winograd_allowed);
            case onednn_conv_form::product:
                if (p.transposed) return windows_are_apart(p) ? "" : "the windows of the transposed convolution overlap";
                return is_product(p) ? ""
                                     : "a convolution is a matrix product where its window is 1 and moves by 1, without pads or groups";
            case onednn_conv_form::direct:
                break;
        }
        return {};
    }

    [[nodiscard]] static outcome<kernel> build(const plan& p, const description& d, const region_view& r, const border_formats& b,
                                               onednn_program program) {
        const dnnl::memory::desc y = onednn_desc(p.y_extents, b.results[0].order);
        const dnnl::memory::desc x = onednn_desc(p.x_extents, b.inputs[p.x].order);
        std::vector<std::optional<dnnl::memory>> inputs(r.input_count);
        const auto value = [&](value_id v) {
            if (r[v].kind == region_value::role::constant)
                return program.constant(r[v].value->data(), onednn_plain(r[v].value->extents()), y);
            if (!inputs[v]) inputs[v] = v == p.x ? program.input(v, x) : program.input(v, y, p.first_byte);
            return *inputs[v];
        };
        const dnnl::memory result = program.result(0, y, p.first_byte);
        const std::vector<float> scaled = p.scaled_weights();
        if (d.product && p.transposed) return build_patches(p, d, scaled, std::move(program));
        if (d.product) return build_product(p, d, scaled, r, std::move(program));
        std::vector<std::pair<int, dnnl::memory>> arguments{{DNNL_ARG_SRC, value(p.x)}, {DNNL_ARG_DST, result}};
        arguments.emplace_back(DNNL_ARG_WEIGHTS, program.constant(scaled.data(), onednn_weight_order(p), d.first.weights_desc()));
        if (p.shifted)
            arguments.emplace_back(DNNL_ARG_BIAS, program.constant(std::vector<float>(p.line.shift.begin(), p.line.shift.end())));
        const auto follow = [&](std::size_t from, std::size_t to) {
            for (std::size_t i = from; i < to; ++i)
                if (p.after[i].kind == chain_step::form::combine)
                    arguments.emplace_back(DNNL_ARG_ATTR_MULTIPLE_POST_OP(static_cast<int>(i - from)) | DNNL_ARG_SRC_1,
                                           value(p.after[i].other));
        };
        follow(0, d.fused);
        program.step(d.first, arguments);
        if (d.tail) {
            arguments = {{DNNL_ARG_SRC_0, result}, {DNNL_ARG_SRC_1, value(p.after[d.fused].other)}, {DNNL_ARG_DST, result}};
            follow(d.fused + 1, p.after.size());
            program.step(d.tail, arguments);
        }
        for (const onednn_primitive& f : d.functions) program.step(f, {{DNNL_ARG_SRC, result}, {DNNL_ARG_DST, result}});
        return onednn_program::finish(std::move(program));
    }

private:
    [[nodiscard]] static bool is_gemm(const description& d) {
        return std::string_view(d.first.impl_info_str()).find("gemm:") != std::string_view::npos;
    }

    [[nodiscard]] static bool all(const std::vector<std::int64_t>& list, std::int64_t number) {
        return std::all_of(list.begin(), list.end(), [&](std::int64_t n) { return n == number; });
    }
    /// Whether each place of the input makes a patch of the result of its own: then the convolution is a product of matrices per row of
    /// the window, written straight to its places.
    [[nodiscard]] static bool windows_are_apart(const plan& p) {
        const spatial_window& w = p.window;
        return p.groups == 1 && w.kernel.size() == 2 && w.kernel == w.strides && all(w.dilations, 1) && !w.has_pads();
    }
    /// Rows of the input: one per place, in batches of one image row.
    [[nodiscard]] static dnnl::memory::desc patch_rows(const plan& p) {
        return onednn_plain({p.x_extents[0] * p.x_extents[2], p.x_extents[3], p.x_extents[1]});
    }
    [[nodiscard]] static std::vector<std::int64_t> patch_weights(const plan& p) { return {1, p.x_extents[1], p.patch.past - p.patch.from}; }
    /// Where one row of each patch stands in the result.
    [[nodiscard]] static dnnl::memory::desc patch_places(const plan& p) {
        const std::int64_t row = p.y_extents[3] * p.y_extents[1], patch = p.window.kernel[1] * p.y_extents[1];
        return {{p.x_extents[0] * p.x_extents[2], p.x_extents[3], p.patch.past - p.patch.from},
                dnnl::memory::data_type::f32,
                {p.window.kernel[0] * row, patch, 1}};
    }

    [[nodiscard]] static outcome<kernel> build_patches(const plan& p, const description& d, const std::vector<float>& weights,
                                                       onednn_program program) {
        const std::int64_t outputs = p.y_extents[1], rows = p.window.kernel[0], columns = p.window.kernel[1];
        const dnnl::memory x = program.input(0, patch_rows(p));
        std::vector<std::pair<int, dnnl::memory>> arguments{{DNNL_ARG_SRC, x}};
        if (p.shifted) {
            std::vector<float> bias;
            for (std::int64_t k = p.patch.from; k < p.patch.past; ++k)
                bias.push_back(static_cast<float>(p.line.shift[static_cast<std::size_t>(k % outputs)]));
            const dnnl::memory::desc order = onednn_plain({1, 1, p.patch.past - p.patch.from});
            arguments.emplace_back(DNNL_ARG_BIAS, program.constant(bias.data(), order, order));
        }
        for (std::int64_t i = p.patch.from_row; i < p.patch.past_row; ++i) {
            std::vector<float> row;
            row.reserve(static_cast<std::size_t>(p.x_extents[1] * (p.patch.past - p.patch.from)));
            for (std::int64_t c = 0; c < p.x_extents[1]; ++c)
                for (std::int64_t k = p.patch.from; k < p.patch.past; ++k)
                    row.push_back(weights[static_cast<std::size_t>(((c * outputs + k % outputs) * rows + i) * columns + k / outputs)]);
            std::vector<std::pair<int, dnnl::memory>> all = arguments;
            all.emplace_back(DNNL_ARG_WEIGHTS, program.constant(row.data(), onednn_plain(patch_weights(p)), d.first.weights_desc()));
            all.emplace_back(
                DNNL_ARG_DST,
                program.result(0, patch_places(p), static_cast<std::size_t>(i * p.y_extents[3] * outputs + p.patch.from) * sizeof(float)));
            program.step(d.first, all);
        }
        return onednn_program::finish(std::move(program));
    }

    /// Whether each place of the result is a product of the channels at one place of the input.
    [[nodiscard]] static bool is_product(const plan& p) {
        return p.groups == 1 && !p.transposed && all(p.window.kernel, 1) && all(p.window.strides, 1) && !p.window.has_pads();
    }
    /// A tensor with its channels last as a matrix: a row for each place.
    [[nodiscard]] static dnnl::memory::desc rows_of(const std::vector<std::int64_t>& extents) {
        std::int64_t places = extents[0];
        for (std::size_t i = 2; i < extents.size(); ++i) places *= extents[i];
        return onednn_plain({places, extents[1]});
    }

    /// A convolution of 1 x 1 as the one matrix product that it is.
    [[nodiscard]] static outcome<kernel> build_product(const plan& p, const description& d, const std::vector<float>& weights,
                                                       const region_view& r, onednn_program program) {
        const dnnl::memory::desc x = rows_of(p.x_extents), y = rows_of(p.y_extents);
        const dnnl::memory::desc stored({p.x_extents[1], p.y_extents[1]}, dnnl::memory::data_type::f32, {1, p.x_extents[1]});
        std::vector<std::optional<dnnl::memory>> inputs(r.input_count);
        const auto input = [&](value_id v) {
            if (!inputs[v]) inputs[v] = program.input(v, v == p.x ? x : y);
            return *inputs[v];
        };
        std::vector<std::pair<int, dnnl::memory>> arguments{
            {DNNL_ARG_SRC, input(p.x)},
            {DNNL_ARG_DST, program.result(0, y)},
            {DNNL_ARG_WEIGHTS, program.constant(weights.data(), stored, d.first.weights_desc())}};
        if (p.shifted) {
            const std::vector<float> bias(p.line.shift.begin(), p.line.shift.end());
            const dnnl::memory::desc order = onednn_plain({1, p.y_extents[1]});
            arguments.emplace_back(DNNL_ARG_BIAS, program.constant(bias.data(), order, order));
        }
        for (std::size_t i = 0; i < p.after.size(); ++i) {
            if (p.after[i].kind != chain_step::form::combine) continue;
            const value_id other = p.after[i].other;
            const auto from = onednn_plain(p.y_extents), to = onednn_desc(p.y_extents, layout::channels_last());
            const dnnl::memory m = r[other].kind == region_value::role::constant
                                       ? program.renamed(program.constant(r[other].value->data(), from, to), y)
                                       : input(other);
            arguments.emplace_back(DNNL_ARG_ATTR_MULTIPLE_POST_OP(static_cast<int>(i)) | DNNL_ARG_SRC_1, m);
        }
        program.step(d.first, arguments);
        return onednn_program::finish(std::move(program));
    }

    /// Asks the library for the primitives of one plan in two layouts.
    struct describer {
        const plan& p;
        const dnnl::engine& engine;
        layout in, out;
        dnnl::memory::desc y;

        /// The library's own choice of a generated loop, with what follows in one primitive where that is no plain loop.
        [[nodiscard]] outcome<description> direct() const {
            description d;
            // What follows a transposed convolution inside its primitive is a plain loop of the library.
            if (p.transposed && !p.after.empty() && attempt(d, 0, dnnl::algorithm::convolution_direct)) {
                for (const chain_step& s : p.after) {
                    const onednn_eltwise f = onednn_eltwise::of(s.function);
                    auto function = onednn_primitive::ask<dnnl::eltwise_forward>(
                        engine, "function", onednn_attributes(), dnnl::prop_kind::forward_inference, f.function, y, y, f.alpha, f.beta);
                    if (!function) return function.failure();
                    d.functions.push_back(*std::move(function));
                }
                if (!d.is_reference()) return d;
            }
            const std::size_t first_binary = binary_at(p, 0);
            bool whole = attempt(d, p.after.size(), dnnl::algorithm::convolution_direct);
            // Matrix products and plain loops handle tensors that follow one element at a time: a primitive of its own is faster.
            if (first_binary < p.after.size() && (!whole || d.is_reference() || is_gemm(d)))
                whole = attempt(d, first_binary, dnnl::algorithm::convolution_direct) && split(d, first_binary);
            if (!whole) return error{"oneDNN has no convolution of this form"};
            return d;
        }
        /// Winograd's form takes no other tensor with it.
        [[nodiscard]] outcome<description> winograd() const {
            description d;
            const std::size_t first_binary = binary_at(p, 0);
            if (!attempt(d, first_binary, dnnl::algorithm::convolution_winograd) ||
                (first_binary < p.after.size() && !split(d, first_binary)))
                return error{"oneDNN has no Winograd convolution of this form on this processor"};
            return d;
        }
        [[nodiscard]] outcome<description> product() const {
            if (in != layout::channels_last() || out != in) return error{"a product takes its channels last"};
            description d;
            d.fused = p.after.size();
            const dnnl::memory::desc rows = p.transposed ? patch_rows(p) : rows_of(p.x_extents);
            const dnnl::memory::desc weights = onednn_any(p.transposed ? patch_weights(p) : std::vector{p.x_extents[1], p.y_extents[1]});
            const dnnl::memory::desc places = p.transposed ? patch_places(p) : rows_of(p.y_extents);
            const dnnl::memory::desc bias = p.transposed ? onednn_plain({1, 1, patch_weights(p)[2]}) : onednn_plain({1, p.y_extents[1]});
            const dnnl::primitive_attr attributes = onednn_attributes(post_ops(p, 0, p.after.size(), p.transposed ? y : places));
            auto made = p.shifted ? onednn_primitive::ask<dnnl::matmul>(engine, "matrix product", attributes, rows, weights, bias, places)
                                  : onednn_primitive::ask<dnnl::matmul>(engine, "matrix product", attributes, rows, weights, places);
            if (!made) return made.failure();
            d.first = *std::move(made);
            d.product = true;
            return d;
        }

    private:
        [[nodiscard]] bool attempt(description& d, std::size_t fused, dnnl::algorithm how) const {
            const dnnl::primitive_attr attributes = onednn_attributes(post_ops(p, 0, fused, y));
            if (onednn_mixes_up(attributes.get_post_ops())) return false;
            const dnnl::memory::desc x = onednn_desc(p.x_extents, in), w = onednn_any(onednn_weight_extents(p));
            const dnnl::memory::desc bias = p.shifted ? onednn_plain({p.y_extents[1]}) : dnnl::memory::desc();
            const spatial_window& k = p.window;
            // The library counts dilations from 0.
            dnnl::memory::dims dilations = k.dilations;
            for (std::int64_t& n : dilations) n -= 1;
            d = description();
            d.fused = fused;
            if (p.transposed) {
                d.first = onednn_primitive_desc<dnnl::deconvolution_forward>(engine, attributes, dnnl::prop_kind::forward_inference,
                                                                             dnnl::algorithm::deconvolution_direct, x, w, bias, y,
                                                                             k.strides, dilations, k.begin, k.end);
            } else {
                d.first = onednn_primitive_desc<dnnl::convolution_forward>(engine, attributes, dnnl::prop_kind::forward_inference, how, x,
                                                                           w, bias, y, k.strides, dilations, k.begin, k.end);
            }
            return static_cast<bool>(d.first);
        }
        /// Not where the last block of channels is filled up: oneDNN 2.6 then gives wrong numbers for an operation in place.
        [[nodiscard]] bool split(description& d, std::size_t at) const {
            if (out.kind == layout::form::channels_blocked && p.y_extents[1] % out.block != 0) return false;
            const dnnl::primitive_attr attributes = onednn_attributes(post_ops(p, at + 1, p.after.size(), y));
            if (onednn_mixes_up(attributes.get_post_ops())) return false;
            d.tail = onednn_primitive_desc<dnnl::binary>(engine, attributes, onednn_binary(p.after[at].how), y, y, y);
            return static_cast<bool>(d.tail);
        }
    };

    [[nodiscard]] static std::size_t binary_at(const plan& p, std::size_t from) {
        while (from < p.after.size() && p.after[from].kind != chain_step::form::combine) ++from;
        return from;
    }

    [[nodiscard]] static dnnl::post_ops post_ops(const plan& p, std::size_t from, std::size_t to, const dnnl::memory::desc& y) {
        dnnl::post_ops after;
        for (std::size_t i = from; i < to; ++i) onednn_append(after, p.after[i], y);
        return after;
    }
};

/// One form of a convolution as a family for `onednn_entry`.
template <onednn_conv_form Form>
struct onednn_convolution : onednn_conv {
    template <class B>
    [[nodiscard]] static std::string refuse(const B& self, const plan& p) {
        return onednn_conv::refuse(p, Form, self.winograd);
    }
    [[nodiscard]] static outcome<description> describe(const plan& p, const region_view&, const dnnl::engine& engine,
                                                       const border_formats& b) {
        return onednn_conv::describe(p, Form, engine, b);
    }
};

}  // namespace inlay::detail

#endif
