// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
// Two back ends that state their prices share a chain of convolutions. One takes pairs, but wants the channels last, and turning a tensor
// round costs. Taking every pair at hand (eager) pays for two conversions too many; the cheapest plan is found, and proved to be it.
//
// Prints:
//   exact: 6.8 s, lower bound 6.8 s
//     pairs takes 4 nodes
//     reference takes 4 nodes
//     2 conversions
//   eager: 7 s
//   single:reference: 8 s
#include <cstdio>
#include <string_view>

#include <inlay/inlay.hpp>
#include <inlay/ir/ir_builder.hpp>
#include <inlay/pipeline.hpp>

using namespace inlay;

namespace {

template <bool Pairs>
struct toy {
    static constexpr std::string_view kind = Pairs ? "pairs" : "reference", refines = "llvm";
    static constexpr device_type device = device_type::cpu;
    using options = option_list<>;
    static std::string version() { return "1"; }
    [[nodiscard]] outcome<void> usable() const { return {}; }
    static constexpr auto patterns() {
        using namespace dsl;
        if constexpr (Pairs)
            return pattern_table(composite<"conv_relu">(op<"onnx.Relu">(op<"onnx.Conv">)), composite<"relu">(op<"onnx.Relu">));
        else
            return pattern_table(composite<"conv">(op<"onnx.Conv">), composite<"relu">(op<"onnx.Relu">));
    }
    [[nodiscard]] std::vector<border_formats> formats(const region_view& r) const {
        border_formats b = plain_borders(r);
        if (Pairs)
            for (std::vector<format>* side : {&b.inputs, &b.results})
                for (format& f : *side) f.order = layout::channels_last();
        return {b};
    }
    [[nodiscard]] std::optional<double> price(const region_view& r) const { return Pairs ? 0.3 * double(r.calls().size()) : 1.0; }
    [[nodiscard]] outcome<kernel> emit(const region_view&) const { return error{"this example only plans"}; }
};

/// Regions state their own prices here; what is asked for are conversions.
struct fixed_prices {
    std::vector<measurement> price(std::span<const pricing_job> jobs) {
        const double seconds[] = {0.8};
        return std::vector<measurement>(jobs.size(), measurement::of(seconds));
    }
};

}  // namespace

int main() {
    const tensor_type image(element_type::float32, {1, 3, 8, 8});
    ir_builder b;
    b.open_block();
    const node_id x = b.input("x", image), w = b.constant(tensor(element_type::float32, {3, 3, 1, 1}));
    node_id y = x;
    for (const char c : std::string_view("crcrccrc"))
        y = c == 'c' ? b.call("onnx.Conv", {y, w}, {}, image) : b.call("onnx.Relu", {y}, {}, image);
    b.declare(b.function(std::span(&x, 1), y, "main"));
    const ir_module m = b.finish();

    const backend_list<toy<true>, toy<false>> backends;
    fixed_prices pricing;
    plan_options options;
    options.others = {partitioner::eager(), partitioner::single("reference")};
    const auto p = make_plan(
        m, backends, pricing, [](const auto&...) { return 0.0; }, options);
    if (!p) return std::fprintf(stderr, "%s\n", p.failure().message.c_str()), 1;
    std::printf("exact: %g s, lower bound %g s\n", *p->chosen.seconds, *p->chosen.lower_bound);
    for (const part& each : p->cut.parts) std::printf("  %s takes %zu nodes\n", backends.text(each.owner).c_str(), each.nodes.size());
    std::printf("  %zu conversions\n", p->cut.conversions.size());
    for (const contender& c : p->others) std::printf("%s: %g s\n", c.name.c_str(), c.seconds.value_or(0));
}
