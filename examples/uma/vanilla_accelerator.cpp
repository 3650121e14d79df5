// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
// UMA's first tutorial. The accelerator's vendor ships one function in C, which convolves; the network's convolutions become calls of it,
// where they are of its kind and where that is cheaper, and all leaves as C. Its arguments: targets, who decides (exact, eager), a folder.
//
// Prints:
//   exact: 348 us
//     vanilla_accelerator.conv2d wide
//     portable_c.c relu
//     portable_c.c narrow
//     portable_c.c shrunk
//     not vanilla_accelerator.conv2d shrunk: it takes strides of one
//   run here: agrees
//   net.c: 4 functions, 32768 bytes to work in, beside vanilla_accelerator.c
//   net ran in ... s
//   shrunk_: 0 of 128 elements are off, the largest error is ...
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <inlay/backend/portable_c/backend.hpp>
#include <inlay/candidate/match_view.hpp>
#include <inlay/codegen/c/c_kernels.hpp>
#include <inlay/io/read_c_library.hpp>
#include <inlay/loops/nest/parse_nest.hpp>
#include <inlay/loops/schedule/schedule.hpp>
#include <inlay/ops/attributes/onnx_operator_attributes.hpp>

#include "leave_as_c.hpp"
#include "networks.hpp"

namespace {

using namespace inlay;

/// What the vendor's function means for given extents, as loops: those that become a call are held to it.
outcome<loop_nest> convolution_of(const std::vector<std::int64_t>& w, std::int64_t rows, std::int64_t columns) {
    std::string text = R"(nest conv2dnchw {
        input ifmap: float32[IC, IH, IW]
        input weights: float32[OC, IC, KH, KW]
        output result: float32[OC, IH, IW]
        for filter < OC { for row < IH { for column < IW {
            result[filter, row, column] = 0.0
            for channel < IC { for i < KH { for j < KW {
                result[filter, row, column] += within(0 <= row + i - PH < IH and 0 <= column + j - PW < IW,
                    ifmap[channel, row + i - PH, column + j - PW] * weights[filter, channel, i, j], 0.0)
            } } }
        } } }
    })";
    const std::pair<std::string, std::int64_t> extents[] = {{"OC", w[0]},     {"IC", w[1]}, {"KH", w[2]},    {"KW", w[3]},
                                                            {"PH", w[2] / 2}, {"IH", rows}, {"IW", columns}, {"PW", w[3] / 2}};
    for (const auto& [word, extent] : extents)
        for (std::size_t at = 0; (at = text.find(word)) != std::string::npos;) text.replace(at, word.size(), std::to_string(extent));
    return parse_nest(text);
}

struct vanilla_accelerator {
    static constexpr std::string_view kind = "vanilla_accelerator", refines = "c";
    static constexpr device_type device = device_type::cpu;
    /// Weights are inputs of the loops, row-major, as the vendor's function takes them: a single one would be a number there otherwise.
    static constexpr constants_policy constants = constants_policy::lift;
    std::int64_t dimension = 16;
    std::string sdk = ".";
    using options = option_list<option<"dimension", &vanilla_accelerator::dimension, "filters that it computes at once">,
                                option<"sdk", &vanilla_accelerator::sdk, "the folder with the vendor's header and source">>;

    /// The vendor's files, and how his function is called: `$0#2` is the extent of axis 2 of what is given first.
    [[nodiscard]] outcome<c_library> library() const {
        auto made = read_c_library(sdk, {"vanilla_accelerator.h"}, {"vanilla_accelerator.c"});
        if (made) made->call("conv2dnchw", "vanilla_accelerator_conv2dnchw($0, $1, $2, $2#0, $0#2, $0#1, $0#0, $1#2, $1#3)");
        return made;
    }
    static std::string version() { return "1"; }
    [[nodiscard]] outcome<void> usable() const {
        if (dimension < 1) return error{"-dimension=" + std::to_string(dimension) + " is less than one"};
        if (const auto there = library(); !there) return there.failure();
        return {};
    }

    static constexpr auto patterns() {
        using namespace dsl;
        return pattern_table(
            composite<"conv2d">(as<"conv">(op<"onnx.Conv">(any, as<"w">(constant))), [](const vanilla_accelerator&, const auto& m) {
                const std::vector<std::int64_t> w = static_shape(captured<"w">(m).type->of_tensor);
                if (w.size() != 4 || m.region().type(0).element != element_type::float32) return verdict::no("it takes images of float32");
                if (w[2] % 2 == 0 || w[3] % 2 == 0) return verdict::no("it takes odd windows");
                if (attr<"conv", &conv_attributes::group>(m) != 1) return verdict::no("it takes one group");
                if (!attr<"conv", &conv_attributes::strides>(m).all(1)) return verdict::no("it takes strides of one");
                if (!attr<"conv", &conv_attributes::dilations>(m).all(1)) return verdict::no("it takes windows without gaps");
                const auto pads = attr<"conv", &conv_attributes::pads>(m);
                const bool keeps_extents = attr<"conv", &conv_attributes::auto_pad>(m) == "NOTSET" && pads[0] == w[2] / 2 &&
                                           pads[2] == w[2] / 2 && pads[1] == w[3] / 2 && pads[3] == w[3] / 2;
                return keeps_extents ? verdict::yes() : verdict::no("it pads so that extents stay");
            }));
    }
    [[nodiscard]] std::vector<border_formats> formats(const region_view& r) const { return {plain_borders(r)}; }
    /// 20 us for each call, then as many products at once as there are filters, 50 million times a second.
    [[nodiscard]] std::optional<double> price(const region_view& r) const {
        const std::vector<std::int64_t> w = static_shape(r.type(1)), y = static_shape(r.type(r.results[0]));
        const auto calls = static_cast<double>(y[0] * w[0] / tile_of(w[0]));
        return calls * (20e-6 + static_cast<double>(w[1] * w[2] * w[3] * y[2] * y[3]) / 50e6);
    }

    using nest = region_nest;
    [[nodiscard]] outcome<nest> lower(const region_view& r) const {
        auto made = lower_to_loops(*this, r, "convolve");
        if (made) made->loops = with_results_in_place(std::move(made->loops));
        return made;
    }
    static constexpr auto phases() {
        return phase_list(loop_phase<1, "call_the_vendor">([](const vanilla_accelerator& self, nest n) -> outcome<nest> {
            const std::vector<std::int64_t> x = n.loops.buffers[0].extents, w = n.loops.buffers[1].extents;
            const std::int64_t tile = self.tile_of(w[0]);
            const auto function = convolution_of({tile, w[1], w[2], w[3]}, x[2], x[3]);
            if (!function) return function.failure();
            // The lowering calls its loops over a result's axes i, i_1, ...: here images, then filters.
            auto made = scheduled(n.loops, loop_schedule().split("i_1", tile, "tile", "filter").call("filter", *function));
            if (!made) return made.failure();
            return nest{*std::move(made), std::move(n.constants)};
        }));
    }
    [[nodiscard]] outcome<c_part> emit_c(const nest& n) const {
        const auto vendor = library();
        if (!vendor) return vendor.failure();
        return part_of_nest(n, *vendor);
    }
    [[nodiscard]] outcome<kernel> emit(const nest& n) const { return c_kernel(emit_c(n), c_borders::of(n)); }

private:
    /// The most filters that one call may take, of which all are a multiple.
    [[nodiscard]] std::int64_t tile_of(std::int64_t filters) const {
        std::int64_t tile = std::min(dimension, filters);
        while (filters % tile != 0) --tile;
        return tile;
    }
};

}  // namespace

int main(int count, char** arguments) {
    if (count != 4) return uma::fail(error{"usage: vanilla_accelerator TARGETS exact|eager FOLDER"});
    return uma::leave_as_c(backend_list<vanilla_accelerator, portable_c>(), uma::convolutions(), arguments);
}
