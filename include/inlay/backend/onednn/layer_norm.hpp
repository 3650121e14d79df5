// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_ONEDNN_LAYER_NORM_HPP
#define INLAY_BACKEND_ONEDNN_LAYER_NORM_HPP

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include <inlay/backend/float_region.hpp>
#include <inlay/backend/layer_normalization.hpp>
#include <inlay/backend/onednn/program.hpp>
#include <inlay/candidate/border_formats.hpp>
#include <inlay/codegen/kernel/kernel.hpp>
#include <inlay/pattern/dsl/call_on.hpp>
#include <inlay/pattern/dsl/dsl.hpp>

namespace inlay::detail {

/// Layer normalisation over the last axes: as one operator, and in the nine nodes that exporters spell it with.
struct onednn_layer_norm {
    using plan = layer_normalization;

    static constexpr auto pattern_of_operator() { return dsl::op<"onnx.LayerNormalization">; }

    static constexpr auto pattern_of_spelling() { return pattern_of_written_layer_normalization(); }

    [[nodiscard]] static outcome<plan> read(const region_view& r) {
        if (auto fine = check_float_region(r, onednn_most_axes); !fine) return fine.failure();
        return read_layer_normalization(r);
    }

    [[nodiscard]] static std::vector<border_formats> proposals(const plan&, const region_view& r) { return {plain_borders(r)}; }

    using description = onednn_primitive;

    [[nodiscard]] static outcome<description> describe(const plan& p, const region_view& r, const dnnl::engine& engine,
                                                       const border_formats& b) {
        if (b != plain_borders(r)) return error{"oneDNN's layer normalisation takes and gives row-major tensors only"};
        const auto flags = dnnl::normalization_flags::use_scale | dnnl::normalization_flags::use_shift;
        const dnnl::memory::desc x = onednn_plain({p.rows, p.columns});
        return onednn_primitive::ask<dnnl::layer_normalization_forward>(engine, "layer normalisation", onednn_attributes(),
                                                                        dnnl::prop_kind::forward_inference, x, x,
                                                                        static_cast<float>(p.epsilon), flags);
    }

    [[nodiscard]] static outcome<kernel> build(const plan& p, const description& d, const region_view& r, const border_formats&,
                                               onednn_program program) {
        const auto row = [&](std::optional<value_id> v, float otherwise) {
            return program.constant(v ? p.numbers(r, *v) : std::vector<float>(static_cast<std::size_t>(p.columns), otherwise));
        };
        program.step(d, {{DNNL_ARG_SRC, program.input(p.x, d.src_desc())},
                         {DNNL_ARG_DST, program.result(0, d.dst_desc())},
                         {DNNL_ARG_SCALE, row(p.scale, 1)},
                         {DNNL_ARG_SHIFT, row(p.shift, 0)}});
        return onednn_program::finish(std::move(program));
    }
};

}  // namespace inlay::detail

#endif
