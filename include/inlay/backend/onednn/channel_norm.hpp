// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_ONEDNN_CHANNEL_NORM_HPP
#define INLAY_BACKEND_ONEDNN_CHANNEL_NORM_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <inlay/backend/float_region.hpp>
#include <inlay/backend/onednn/post_ops.hpp>
#include <inlay/backend/onednn/program.hpp>
#include <inlay/candidate/border_formats.hpp>
#include <inlay/codegen/kernel/kernel.hpp>
#include <inlay/core/in_force.hpp>
#include <inlay/ops/attributes/normalization_attributes.hpp>
#include <inlay/pattern/dsl/call_on.hpp>
#include <inlay/pattern/dsl/dsl.hpp>

namespace inlay::detail {

/// Batch normalisation on its own, with a Relu after it, and local response normalisation across channels.
struct onednn_channel_norm {
    struct plan {
        std::vector<std::int64_t> extents;
        bool local = false;
        // Of local response normalisation.
        std::int64_t size = 0;
        double alpha = 0, beta = 0, bias = 0;
        // Of batch normalisation: the line, then perhaps a Relu.
        channel_line line;
        bool relu = false;
    };

    static constexpr auto pattern_of_batch_norm() { return dsl::maybe_call_on<1, "onnx.Relu">(dsl::op<"onnx.BatchNormalization">); }
    static constexpr auto pattern_of_local_norm() { return dsl::op<"onnx.LRN">; }

    [[nodiscard]] static outcome<plan> read(const region_view& r) {
        if (auto fine = check_float_region(r, onednn_most_axes); !fine) return fine.failure();
        plan p;
        value_id v = r.results[0];
        p.relu = r[v].op == "onnx.Relu";
        if (p.relu) v = r[v].operands[0];
        const region_value& c = r[v];
        const bool whole = c.kind == region_value::role::call && r.calls().size() == (p.relu ? 2u : 1u) && !c.operands.empty() &&
                           r[c.operands[0]].kind == region_value::role::input;
        if (!whole) return error{"the region is no normalisation of an input"};
        p.extents = static_shape(r.type(c.operands[0]));
        if (p.extents.size() < 2 || p.extents.size() > 5)
            return error{std::string(c.op) + " of a tensor of rank " + std::to_string(p.extents.size()) + "; the library takes 2 to 5"};
        p.local = c.op == "onnx.LRN";
        if (p.local) {
            const auto given = inlay::read<lrn_attributes>(*c.attributes);
            p.size = given.size;
            p.alpha = given.alpha;
            p.beta = given.beta;
            p.bias = given.bias;
            // The library's window is symmetric.
            if (p.size < 1 || p.size % 2 == 0) return error{"LRN has size " + std::to_string(p.size) + "; the library takes odd sizes"};
            if (p.size / 2 > p.extents[1])
                return error{"LRN has size " + std::to_string(p.size) + " over " + std::to_string(p.extents[1]) + " channels"};
            return p;
        }
        auto found = line_of_statistics(r, c, static_cast<std::size_t>(p.extents[1]));
        if (!found) return error{"the statistics of the batch normalisation are no float32 constants of one number per channel"};
        p.line = *std::move(found);
        return p;
    }

    [[nodiscard]] static std::vector<border_formats> proposals(const plan& p, const region_view& r) {
        std::vector<border_formats> list;
        for (const layout& l : onednn_layouts(p.extents.size())) list.push_back(borders_in(r, l));
        return list;
    }

    struct description {
        onednn_primitive norm;
        bool product = false;  // row-major: a factor and a term per channel, in one pass
        [[nodiscard]] bool is_reference() const { return norm.is_reference(); }
    };

    [[nodiscard]] static outcome<description> describe(const plan& p, const region_view&, const dnnl::engine& engine,
                                                       const border_formats& b) {
        const layout& l = b.inputs[0].order;
        if (l != b.results[0].order || !onednn_has_layout(p.extents.size(), l)) return error{"oneDNN normalises within one layout"};
        // A single spatial axis, or none, is one of two: the library's generated code is for images.
        std::vector<std::int64_t> image = p.extents;
        while (!p.local && image.size() < 4) image.insert(image.begin() + 2, 1);
        const dnnl::memory::desc x = onednn_desc(image, l);
        const auto whole = [](outcome<onednn_primitive> asked) -> outcome<description> {
            if (!asked) return asked.failure();
            return description{*std::move(asked)};
        };
        if (p.local) {
            return whole(onednn_primitive::ask<dnnl::lrn_forward>(engine, "local response normalisation", onednn_attributes(),
                                                                  dnnl::prop_kind::forward_inference, dnnl::algorithm::lrn_across_channels,
                                                                  x, x, p.size, static_cast<float>(p.alpha), static_cast<float>(p.beta),
                                                                  static_cast<float>(p.bias)));
        }
        if (l == layout::plain()) {
            // The library reads the term of other channels if height and width are 1 and there are several images. A matrix is right.
            if (in_force<"onednn.channels.one-place">() && is_one_place(image)) image.resize(2);
            const dnnl::memory::desc x_order = onednn_desc(image, l), channel = channels_of(image);
            dnnl::post_ops after;
            after.append_binary(dnnl::algorithm::binary_add, channel);
            if (p.relu) onednn_append(after, {elementwise_function::form::relu});
            const auto made = onednn_primitive::ask<dnnl::binary>(engine, "product", onednn_attributes(after), dnnl::algorithm::binary_mul,
                                                                  x_order, channel, x_order);
            if (made && !made->is_reference()) return description{*made, true};
        }
        using flag = dnnl::normalization_flags;
        const flag flags = flag::use_global_stats | flag::use_scale | flag::use_shift | (p.relu ? flag::fuse_norm_relu : flag::none);
        return whole(onednn_primitive::ask<dnnl::batch_normalization_forward>(engine, "batch normalisation", onednn_attributes(),
                                                                              dnnl::prop_kind::forward_inference, x, x, 1.0f, flags));
    }

    [[nodiscard]] static outcome<kernel> build(const plan& p, const description& d, const region_view&, const border_formats&,
                                               onednn_program program) {
        if (p.local) return d.norm.alone(std::move(program));
        const dnnl::memory::desc order = d.norm.src_desc();
        if (d.product) {
            const dnnl::memory::desc channel = channels_of(onednn_dims(order));
            const std::vector<float> scale(p.line.scale.begin(), p.line.scale.end()), shift(p.line.shift.begin(), p.line.shift.end());
            program.step(d.norm, {{DNNL_ARG_SRC_0, program.input(0, order)},
                                  {DNNL_ARG_SRC_1, program.constant(scale.data(), channel, channel)},
                                  {DNNL_ARG_DST, program.result(0, order)},
                                  {DNNL_ARG_ATTR_MULTIPLE_POST_OP(0) | DNNL_ARG_SRC_1, program.constant(shift.data(), channel, channel)}});
            return onednn_program::finish(std::move(program));
        }
        std::vector<std::pair<int, dnnl::memory>> arguments{{DNNL_ARG_SRC, program.input(0, order)},
                                                            {DNNL_ARG_DST, program.result(0, order)}};
        // Mean 0, variance 0, epsilon 1: all that the statistics do stands in scale and shift, computed in double precision. Generated
        // code reads whole blocks of each row, so the rows are filled up with zeros, which leave the fill of a block zero, too.
        const auto row = [&](std::vector<float> numbers) {
            const dnnl::memory::desc exact = onednn_plain({static_cast<std::int64_t>(numbers.size())});
            numbers.resize((numbers.size() + 15) / 16 * 16, 0.0f);
            return program.renamed(program.constant(numbers), exact);
        };
        arguments.emplace_back(DNNL_ARG_MEAN, row(std::vector<float>(p.line.scale.size(), 0.0f)));
        arguments.emplace_back(DNNL_ARG_VARIANCE, row(std::vector<float>(p.line.scale.size(), 0.0f)));
        arguments.emplace_back(DNNL_ARG_SCALE, row(std::vector<float>(p.line.scale.begin(), p.line.scale.end())));
        arguments.emplace_back(DNNL_ARG_SHIFT, row(std::vector<float>(p.line.shift.begin(), p.line.shift.end())));
        program.step(d.norm, arguments);
        return onednn_program::finish(std::move(program));
    }

private:
    /// Whether each channel of an image has one place.
    [[nodiscard]] static bool is_one_place(const std::vector<std::int64_t>& image) {
        return std::all_of(image.begin() + 2, image.end(), [](std::int64_t extent) { return extent == 1; });
    }
    /// One number per channel, beside an image or a matrix.
    [[nodiscard]] static dnnl::memory::desc channels_of(const std::vector<std::int64_t>& image) {
        std::vector<std::int64_t> e(image.size(), 1);
        e[1] = image[1];
        return onednn_plain(e);
    }
};

}  // namespace inlay::detail

#endif
