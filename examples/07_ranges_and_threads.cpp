// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
// A program's nodes are ranges that compose with those of range-v3, and oneTBB's threads serve a search: here the rectifiers that read a
// convolution are picked by a view and pinned to the back end that fuses them, at whatever price, and the plan is made on two threads.
//
// Prints:
//   5 calls; the last two: 6 5
//   rectifiers that read a convolution: 3 5
//   pairs takes 4 nodes
//   reference takes 1 nodes
//   5.4 s, optimal
#include <cstdio>
#include <string_view>
#include <vector>

#include <range/v3/algorithm/any_of.hpp>
#include <range/v3/distance.hpp>
#include <range/v3/range/conversion.hpp>
#include <range/v3/view/filter.hpp>
#include <range/v3/view/take.hpp>

#include <inlay/graph/views.hpp>
#include <inlay/inlay.hpp>
#include <inlay/ir/ir_builder.hpp>
#include <inlay/pipeline.hpp>
#include <inlay/runtime/tbb.hpp>

namespace {

template <bool Pairs>
struct toy {
    static constexpr std::string_view kind = Pairs ? "pairs" : "reference", refines = "llvm";
    static constexpr inlay::device_type device = inlay::device_type::cpu;
    using options = inlay::option_list<>;
    static std::string version() { return "1"; }
    [[nodiscard]] inlay::outcome<void> usable() const { return {}; }
    static constexpr auto patterns() {
        using namespace inlay::dsl;
        if constexpr (Pairs)
            return inlay::pattern_table(inlay::composite<"conv_relu">(op<"onnx.Relu">(op<"onnx.Conv">)));
        else
            return inlay::pattern_table(inlay::composite<"conv">(op<"onnx.Conv">), inlay::composite<"relu">(op<"onnx.Relu">));
    }
    [[nodiscard]] std::vector<inlay::border_formats> formats(const inlay::region_view& r) const { return {inlay::plain_borders(r)}; }
    [[nodiscard]] std::optional<double> price(const inlay::region_view& r) const { return (Pairs ? 1.1 : 1.0) * double(r.calls().size()); }
    [[nodiscard]] inlay::outcome<inlay::kernel> emit(const inlay::region_view&) const { return inlay::error{"this example only plans"}; }
};

struct no_meter {
    auto price(std::span<const inlay::pricing_job> jobs) { return std::vector<inlay::measurement>(jobs.size()); }
};

}  // namespace

int main() {
    using inlay::node_id;
    const inlay::tensor_type image(inlay::element_type::float32, {1, 3, 8, 8});
    inlay::ir_builder b;
    b.open_block();
    const node_id x = b.input("x", image), w = b.constant(inlay::tensor(inlay::element_type::float32, {3, 3, 1, 1}));
    node_id y = x;
    for (const char c : std::string_view("crcrr"))
        y = c == 'c' ? b.call("onnx.Conv", {y, w}, {}, image) : b.call("onnx.Relu", {y}, {}, image);
    b.declare(b.function(std::span(&x, 1), y, "main"));
    const inlay::ir_module m = b.finish();

    const auto is_call = [&](node_id n) { return m.kind(n) == inlay::node_kind::call; };
    std::printf("%d calls; the last two:", int(ranges::distance(inlay::calls(m))));
    for (const node_id n : inlay::reverse_topological(m) | ranges::views::filter(is_call) | ranges::views::take(2)) std::printf(" %u", n);
    const auto reads_convolution = [&](node_id n) {
        return ranges::any_of(inlay::operands(m, n), [&](node_id o) { return m.op(o) == "onnx.Conv"; });
    };
    const auto fused = inlay::nodes_of_op(m, "onnx.Relu") | ranges::views::filter(reads_convolution) | ranges::to<std::vector<node_id>>();
    std::printf("\nrectifiers that read a convolution:");
    for (const node_id n : fused) std::printf(" %u", n);

    const inlay::backend_list<toy<true>, toy<false>> backends;
    no_meter pricing;
    inlay::tbb_executor threads(2);
    inlay::plan_options options;
    options.search.executor = inlay::executor_ref(threads);
    options.constraints.push_back({inlay::constraint_rule::pin, fused, 0, 0, "rectifiers behind convolutions are fused", {}});
    const auto p = inlay::make_plan(
        m, backends, pricing, [](const auto&...) { return 0.0; }, options);
    if (!p) return std::fprintf(stderr, "%s\n", p.failure().message.c_str()), 1;
    std::printf("\n");
    for (const inlay::part& each : p->cut.parts) std::printf("%s takes %zu nodes\n", backends.text(each.owner).c_str(), each.nodes.size());
    std::printf("%g s, %s\n", *p->chosen.seconds, inlay::name_of(p->chosen.status));
}
