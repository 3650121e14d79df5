// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/passes/books/relay_to_onnx.hpp>

#include <cmath>
#include <string>

#include <doctest/doctest.h>

#include <inlay/codegen/list/backend_list.hpp>
#include <inlay/ir/relay_text.hpp>
#include <inlay/ops/onnx/activation.hpp>
#include <inlay/ops/onnx/arithmetic.hpp>
#include <inlay/ops/onnx/convolution.hpp>
#include <inlay/ops/onnx/joining.hpp>
#include <inlay/ops/onnx/math.hpp>
#include <inlay/ops/onnx/matrix_product.hpp>
#include <inlay/ops/onnx/normalization.hpp>
#include <inlay/ops/onnx/pooling.hpp>
#include <inlay/ops/onnx/reshaping.hpp>
#include <inlay/ops/onnx/slicing.hpp>
#include <inlay/ops/onnx/softmax.hpp>
#include <inlay/ops/onnx/transposition.hpp>
#include <inlay/ops/op_table.hpp>
#include <inlay/partition/verify.hpp>
#include <inlay/passes/normalise.hpp>
#include <inlay/pipeline.hpp>

#include "cost/no_meter.hpp"
#include "ops/relay_program.hpp"
#include "ops/sample_program.hpp"

using namespace inlay;
using namespace inlay_test;
using ops_here = op_table<onnx_activations<>, onnx_arithmetic<>, onnx_convolution<>, onnx_joining<>, onnx_math<>, onnx_matrix_product<>,
                          onnx_normalizations<>, onnx_pooling<>, onnx_reshaping<>, onnx_slicing<>, onnx_softmaxes<>, onnx_transposition<>>;

namespace {

/// An image with its channels last through a convolution, a bias, a normalisation, Relu and a pool, to four shares.
struct small_network {
    tensor image = noise({1, 4, 4, 2}, 1), weights = noise({3, 3, 2, 3}, 2), bias = noise({3}, 3),
           scale = tensor::of({3}, floats{1, 2, 0.5f}), shift = noise({3}, 5), mean = noise({3}, 6),
           variance = tensor::of({3}, floats{1, 0.5f, 2}), dense = noise({4, 3}, 7);
    relay_program p;

    node_id result() {
        const std::string last = "NHWC";
        node_id x = p.call(
            "nn.conv2d", {p.input(image), p.constant(weights)},
            {{"data_layout", last}, {"kernel_layout", std::string("HWIO")}, {"kernel_size", ints{3, 3}}, {"padding", ints{1, 1, 1, 1}}});
        x = p.call("nn.bias_add", {x, p.constant(bias)}, {{"axis", std::int64_t{3}}});
        x = p.field(p.call("nn.batch_norm", {x, p.constant(scale), p.constant(shift), p.constant(mean), p.constant(variance)},
                           {{"axis", std::int64_t{3}}}),
                    0);
        x = p.call("nn.relu", {x});
        x = p.call("nn.batch_flatten", {p.call("nn.global_avg_pool2d", {x}, {{"layout", last}})});
        return p.call("nn.softmax", {p.call("nn.dense", {x, p.constant(dense)})});
    }

    /// The four shares, by definition.
    [[nodiscard]] std::vector<double> shares() const {
        std::vector<double> means(3, 0), made(4, 0);
        for (std::int64_t c = 0; c < 3; ++c)
            for (std::int64_t h = 0; h < 4; ++h)
                for (std::int64_t w = 0; w < 4; ++w) {
                    double sum = at(bias, {c});
                    for (std::int64_t a = 0; a < 3; ++a)
                        for (std::int64_t b = 0; b < 3; ++b)
                            for (std::int64_t i = 0; i < 2; ++i)
                                if (const std::int64_t y = h + a - 1, x = w + b - 1; y >= 0 && y < 4 && x >= 0 && x < 4)
                                    sum += at(image, {0, y, x, i}) * at(weights, {a, b, i, c});
                    sum = (sum - at(mean, {c})) / std::sqrt(at(variance, {c}) + 1e-5) * at(scale, {c}) + at(shift, {c});
                    means[static_cast<std::size_t>(c)] += std::max(sum, 0.0) / 16;
                }
        double all = 0;
        for (std::int64_t k = 0; k < 4; ++k) {
            double sum = 0;
            for (std::int64_t c = 0; c < 3; ++c) sum += means[static_cast<std::size_t>(c)] * at(dense, {k, c});
            all += made[static_cast<std::size_t>(k)] = std::exp(sum);
        }
        for (double& m : made) m /= all;
        return made;
    }
};

/// Takes any call at one second, and a convolution with the Relu behind it at half of that.
struct planner_here {
    static constexpr std::string_view kind = "reference", refines = "llvm";
    static constexpr device_type device = device_type::cpu;
    using options = option_list<>;
    static std::string version() { return "1"; }
    outcome<void> usable() const { return {}; }
    static constexpr auto patterns() {
        return pattern_table(composite<"conv_relu">(dsl::op<"onnx.Relu">(dsl::op<"onnx.Conv">)), composite<"any">(dsl::any_call));
    }
    std::vector<border_formats> formats(const region_view& r) const { return {plain_borders(r)}; }
    std::optional<double> price(const region_view& r) const { return r.calls().size() > 1 ? 0.5 : 1.0; }
    outcome<kernel> emit(const region_view&) const { return error{"it only has prices"}; }
};
}  // namespace

TEST_CASE("a network in Relay's text becomes one of ONNX's operators, means the same, is normalised and planned") {
    small_network network;
    const ir_module relay = network.p.finish(network.result());
    CHECK(print_relay(relay).text ==
          "#[version = \"0.0.5\"]\n"
          "def @main(%x0: Tensor[(1, 4, 4, 2), float32]) {\n"
          "  %0 = nn.conv2d(%x0, meta[relay.Constant][0], data_layout=\"NHWC\", kernel_layout=\"HWIO\", kernel_size=[3, 3], padding=[1, 1, "
          "1, 1]);\n"
          "  %1 = nn.bias_add(%0, meta[relay.Constant][1], axis=3);\n"
          "  %2 = nn.batch_norm(%1, meta[relay.Constant][2], meta[relay.Constant][3], meta[relay.Constant][4], meta[relay.Constant][5], "
          "axis=3);\n"
          "  %3 = nn.relu(%2.0);\n"
          "  %4 = nn.global_avg_pool2d(%3, layout=\"NHWC\");\n"
          "  %5 = nn.batch_flatten(%4);\n"
          "  %6 = nn.dense(%5, meta[relay.Constant][6]);\n"
          "  %7 = nn.softmax(%6);\n"
          "  %7\n"
          "}\n");
    const auto mapped = relay_to_onnx<ops_here>(relay);
    REQUIRE_MESSAGE(mapped, (mapped ? std::string() : mapped.failure().message));
    const auto normal = normalise<ops_here>(*mapped);
    REQUIRE_MESSAGE(normal, (normal ? std::string() : normal.failure().message));
    const std::vector<double> shares = network.shares();
    for (const ir_module* m : {&*mapped, &normal->graph}) {
        const auto found = interpret(*m, std::span(&network.image, 1), ops_here{});
        REQUIRE_MESSAGE(found, (found ? std::string() : found.failure().message));
        check_elements(found->front(), {1, 4}, [&](const ints& i) { return shares[static_cast<std::size_t>(i[1])]; });
    }
    // Seven transposes, of the weights and around three operators. Two are left: the image is turned once, and so is what the pool leaves
    // of it.
    CHECK(calls_of(*mapped, "onnx.Transpose") == 7);
    CHECK(calls_of(normal->graph, "onnx.Transpose") == 2);

    backend_list<planner_here> backends;
    toys::no_meter meter;
    const auto made = make_plan(normal->graph, backends, meter, [](const auto&...) { return 0.0; });
    REQUIRE_MESSAGE(made, (made ? std::string() : made.failure().message));
    CHECK(made->chosen.status == selection_status::optimal);
    for (const law_check& l : verify(normal->graph, made->set, made->cut)) CHECK_MESSAGE(l.holds, l.law);
}

TEST_CASE("what has no rule is told of in one sentence, with the reasons of what was refused") {
    relay_program p;
    const tensor x = noise({1, 4, 4, 2}, 1);
    const node_id in = p.input(x);
    const node_id conv = p.call("nn.conv2d", {in, p.constant(noise({3, 3, 2, 1}, 2))},
                                {{"data_layout", std::string("NHWC")}, {"kernel_layout", std::string("OIHW4o")}});
    const std::string said =
        p.refused<ops_here>(p.call("vision.yolo_reorg", {p.call("nn.relu", {p.call("vision.get_valid_counts", {conv})})}));
    CHECK(said ==
          "the program cannot be written in ONNX's operators: there is no rule for vision.get_valid_counts, vision.yolo_reorg; "
          "nn.conv2d has kernel_layout 'OIHW4o', and the rules know orders of OIHW");
}

TEST_CASE("what does not fit by its types is told of, and so are inputs without a type") {
    relay_program p;
    const std::string said = p.refused<ops_here>(p.call("add", {p.input(noise({2}, 1)), p.input(noise({3}, 2))}));
    CHECK(said.find("add as onnx.Add on these operands") != std::string::npos);
    ir_builder b;
    b.open_block();
    const node_id x = b.input("x", node_type());
    b.declare(b.function(std::span(&x, 1), b.call("nn.relu", {x}), "main"));
    const auto made = relay_to_onnx<ops_here>(b.finish());
    REQUIRE_FALSE(made.has_value());
    CHECK(made.failure().message.find("the types of what nn.relu reads are not known") != std::string::npos);
}

TEST_CASE("calls of ONNX's operators among Relay's stay as they are") {
    relay_program p;
    const tensor x = noise({2, 3}, 1);
    const node_id in = p.input(x);
    check_elements(p.run<ops_here>(p.call("multiply", {p.call("onnx.Relu", {p.call("negative", {in})}), in})), {2, 3},
                   [&](const ints& i) { return std::max(-at(x, i), 0.0) * at(x, i); });
}

TEST_CASE("a long chain of Relay's operators is mapped from its input on") {
    relay_program p;
    const tensor x = noise({3}, 1);
    node_id at_end = p.input(x);
    for (int i = 0; i < 2000; ++i) at_end = p.call("negative", {at_end});
    CHECK(elements_of<float>(p.run<ops_here>(at_end)) == elements_of<float>(x));
}
