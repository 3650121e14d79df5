// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_XNNPACK_REARRANGE_HPP
#define INLAY_BACKEND_XNNPACK_REARRANGE_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <inlay/backend/xnnpack/chain.hpp>
#include <inlay/backend/xnnpack/program.hpp>
#include <inlay/ops/attributes/movement_attributes.hpp>
#include <inlay/pattern/dsl/dsl.hpp>

namespace inlay::detail {

/// Images whose channels move: blocks of channels to places, and channels shuffled between groups, which models spell as reshape,
/// transpose, reshape.
struct xnnpack_rearrange {
    struct plan {
        std::int64_t block = 0;   // of depth to space, else 0
        std::int64_t groups = 0;  // of the shuffle
        std::vector<std::int64_t> extents;
    };

    static constexpr auto pattern_of_depth_to_space() { return dsl::op<"onnx.DepthToSpace">; }
    static constexpr auto pattern_of_shuffle() {
        using namespace dsl;
        return op<"onnx.Reshape">(op<"onnx.Transpose">(op<"onnx.Reshape">(any, constant)), constant);
    }

    [[nodiscard]] static outcome<plan> read(const region_view& r) {
        if (auto fine = check_float_region(r, xnnpack_any_rank); !fine) return fine.failure();
        const region_value& c = r[r.results[0]];
        plan p;
        p.extents = static_shape(r.type(0));
        if (p.extents.size() != 4)
            return error{std::string(c.op) + " of a tensor of rank " + std::to_string(p.extents.size()) +
                         "; the library takes images, of rank 4"};
        if (c.op == "onnx.DepthToSpace" && r.calls().size() == 1) {
            const auto [block, mode] = inlay::read<depth_to_space_attributes>(*c.attributes);
            p.block = block;
            if (mode != "DCR") return error{"DepthToSpace in the mode " + std::string(mode) + "; the library has DCR"};
            if (p.block < 2 || p.block > 1 << 12 || p.extents[1] % (p.block * p.block) != 0)
                return error{"DepthToSpace has a block size of " + std::to_string(p.block) + " for " + std::to_string(p.extents[1]) +
                             " channels; the library takes 2 or more"};
            return p;
        }
        if (c.op != "onnx.Reshape" || r.calls().size() != 3) return error{"the region moves no channels"};
        const region_value& turned = r.operand(c, 0);
        if (turned.op != "onnx.Transpose" || r.operand(turned, 0).op != "onnx.Reshape")
            return error{"the region is no reshape, transpose, reshape"};
        const region_value& split = r.operand(turned, 0);
        if (split.operands.empty() || split.operands[0] != 0 || !split.type->is_static())
            return error{"the reshape is not of the region's input"};
        const std::vector<std::int64_t> middle = static_shape(split.type->of_tensor), y = static_shape(r.type(r.results[0]));
        const bool groups = middle.size() == 5 && middle[0] == p.extents[0] && middle[3] == p.extents[2] && middle[4] == p.extents[3];
        const std::int64_t swapped[] = {0, 2, 1, 3, 4};
        const auto order = inlay::read<transpose_attributes>(*turned.attributes).perm;
        if (!groups || y != p.extents || !order || !std::equal(order->begin(), order->end(), std::begin(swapped), std::end(swapped)))
            return error{"the reshape to " + to_string(*split.type) + " and what follows shuffle no channels"};
        p.groups = middle[1];
        if (p.groups < 2 || middle[2] < 2)
            return error{"a shuffle of " + std::to_string(middle[1]) + " groups of " + std::to_string(middle[2]) +
                         " channels; the library takes 2 or more of each"};
        return p;
    }

    [[nodiscard]] static std::vector<border_formats> formats(const plan&, const region_view& r) { return {xnnpack_images(r)}; }

    [[nodiscard]] static outcome<void> build(const plan& p, const region_view&, const border_formats&, xnnpack_program& program) {
        xnnpack_parameters s = xnnpack_parameters::of_images(p.extents);
        if (p.block != 0) {
            s.block = xnnpack_number(p.block);
            return program.step({xnnpack_operators::depth_to_space, s});
        }
        s.batch *= s.height * s.width;
        s.groups = xnnpack_number(p.groups);
        return program.step({xnnpack_operators::channel_shuffle, s});
    }
};

}  // namespace inlay::detail

#endif
