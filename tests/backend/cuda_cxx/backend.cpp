// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cuda_cxx/backend.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "../../loops/played_device.hpp"
#include "../small_graph.hpp"
#include "arranged_alike.hpp"

using namespace inlay;
using namespace inlay_test;
using namespace cuda_cxx_test;

namespace {

std::string refused(cuda_cxx b) {
    const auto fits = b.check();
    return fits ? "" : fits.failure().message;
}

/// Holds the kernels of a whole program to its lowered nest: phase by phase, and printed, on threads that play the device's.
void check_kernels(const ir_module& m) {
    const whole_region whole(m);
    const cuda_cxx self;
    const auto lowered = loops_of(self, whole.view(), "region"), arranged = loops_of(self, whole.view(), "region", 3);
    if (!lowered || !arranged) FAIL((lowered ? arranged : lowered).failure().message);
    CHECK(difference(*lowered, *arranged, 1e-6) == "");
    const auto text = to_cuda(*arranged);
    REQUIRE(text);
    const std::vector<tensor> inputs = small_inputs(*arranged), got = nests::by_played_device(*arranged, *text, inputs);
    const auto meant = run_nest(*lowered, inputs);
    REQUIRE(got.size() == meant->size());
    for (std::size_t i = 0; i < got.size(); ++i) {
        const auto same = compare(got[i], (*meant)[i], 1e-5, 1e-6);
        CHECK_MESSAGE(same.agrees, same.reason);
    }
}

}  // namespace

TEST_CASE("the kernels of products, convolutions, rows and moves compute what their calls mean") {
    {
        small_graph t;
        check_kernels(t.finish(t.call("onnx.Relu", {t.call("onnx.Gemm", {t.input({37, 29}), t.input({29, 50}), t.input({50})})})));
    }
    {
        small_graph t;
        const std::vector<std::int64_t> pads{1, 1, 1, 1}, strides{2, 2};
        check_kernels(t.finish(t.call("onnx.Relu", {t.call("onnx.Conv", {t.input({1, 5, 15, 13}), t.input({20, 5, 3, 3}), t.input({20})},
                                                           {{"pads", pads}, {"strides", strides}})})));
    }
    {
        small_graph t;
        check_kernels(t.finish(t.call("onnx.Softmax", {t.call("onnx.Add", {t.input({20, 33}), t.input({33})})})));
    }
    {
        small_graph t;
        check_kernels(t.finish(t.call("onnx.Softmax", {t.input({3, 150})})));
    }
    {
        small_graph t;
        check_kernels(t.finish(t.call("onnx.Transpose", {t.input({9, 21})}, {{"perm", std::vector<std::int64_t>{1, 0}}})));
    }
    {
        small_graph t;
        const std::vector<std::int64_t> kernel{3, 3};
        check_kernels(t.finish(t.call("onnx.MaxPool", {t.input({2, 3, 9, 10})}, {{"kernel_shape", kernel}})));
    }
}

TEST_CASE("options that make no sense are refused, and models are known for some architectures") {
    CHECK(refused({}).empty());
    cuda_cxx b;
    b.arch = "sm_90a";
    b.model = true;
    CHECK(refused(b).empty());
    CHECK(b.usable().has_value());
    b.arch = "sm_";
    CHECK(refused(b) == "option '-arch' of target 'cuda_cxx' takes 'sm_' and digits, as 'sm_80' or 'sm_90a', not 'sm_'");
    b.arch = "sm_90a";
    b.precision = "int4";
    CHECK(refused(b) == "option '-precision' of target 'cuda_cxx' takes float32, tf32, float16 or bfloat16, not 'int4'");
    b.precision = "float16";
    CHECK(refused(b).empty());
    CHECK(b.usable().has_value());
    b.arch = "sm_75";
    CHECK(b.usable().failure().message ==
          "target 'cuda_cxx' has -precision=float16, and sm_75 has no tensor cores for it; those from sm_80 on do");
    b.precision = "float32";
    CHECK(b.usable().has_value());
    b.arch = "sm_50";
    CHECK(refused(b) == "target 'cuda_cxx' has no model of sm_50; -model goes with -arch of sm_75, sm_80, sm_86, sm_89, sm_90");
}

TEST_CASE("prices are the model's where it is asked for, else to be measured") {
    small_graph t;
    const whole_region whole(t.finish(t.call("onnx.MatMul", {t.input({512, 512}), t.input({512, 512})})));
    cuda_cxx b;
    CHECK(!b.price(whole.view()));
    b.model = true;
    b.arch = "sm_80";
    const double a100 = *b.price(whole.view());
    CHECK(a100 == doctest::Approx(5e-6 + 2.0 * 512 * 512 * 512 / 19.5e12));
    b.arch = "sm_90";
    CHECK(*b.price(whole.view()) < a100);
}

TEST_CASE("tensor cores take products where rounded operands are allowed, and never else") {
    small_graph t;
    const whole_region whole(t.finish(t.call("onnx.MatMul", {t.input({128, 64}), t.input({64, 128})})));
    cuda_cxx b;
    for (const std::string precision : {"float32", "tf32", "float16", "bfloat16"}) {
        b.precision = precision;
        const auto nest = detail::arranged_nest(b, whole.view());
        REQUIRE(nest);
        const auto made = cuda_cxx::print(std::span(&*nest, 1));
        REQUIRE(made);
        CHECK((made->text.find("mma.sync.aligned.m16n8k16.row.col.f32.f16") != std::string::npos) == (precision == "float16"));
        CHECK((made->text.find("mma.sync.aligned.m16n8k16.row.col.f32.bf16") != std::string::npos) == (precision == "bfloat16"));
        CHECK((made->text.find("mma.sync.aligned.m16n8k8") != std::string::npos) == (precision == "tf32"));
        b.arch = "sm_90a";
        const auto newer = detail::arranged_nest(b, whole.view());
        REQUIRE(newer);
        const auto by_warpgroups = cuda_cxx::print(std::span(&*newer, 1));
        REQUIRE(by_warpgroups);
        CHECK((by_warpgroups->text.find("m64n64k16.f32.f16.f16") != std::string::npos) == (precision == "float16"));
        CHECK((by_warpgroups->text.find("m64n64k16.f32.bf16.bf16") != std::string::npos) == (precision == "bfloat16"));
        b.arch.clear();
    }
}

TEST_CASE("tensor cores take products of half precision as they are, whatever the precision of others") {
    for (const element_type e : {element_type::float16, element_type::bfloat16}) {
        small_graph t;
        const whole_region whole(
            t.finish(t.call("onnx.MatMul", {t.input_of(tensor_type(e, {128, 64})), t.input_of(tensor_type(e, {64, 128}))})));
        cuda_cxx b;
        for (const std::string precision : {"float32", "tf32", "float16"}) {
            b.precision = precision;
            const auto nest = detail::arranged_nest(b, whole.view());
            REQUIRE(nest);
            const auto made = cuda_cxx::print(std::span(&*nest, 1));
            REQUIRE(made);
            const std::string types = e == element_type::float16 ? "f16.f16" : "bf16.bf16";
            CHECK(made->text.find("mma.sync.aligned.m16n8k16.row.col.f32." + types) != std::string::npos);
            // One kernel: nothing is stored before.
            CHECK(made->nests.front().kernels.size() == 1);
        }
        b.arch = "sm_75";
        const auto older = detail::arranged_nest(b, whole.view());
        REQUIRE(older);
        CHECK(cuda_cxx::print(std::span(&*older, 1))->text.find("mma.sync") == std::string::npos);
    }
}

TEST_CASE("nests of a program are one text, with what they have in common once") {
    small_graph t;
    const whole_region whole(t.finish(t.call("onnx.Relu", {t.input({4})})));
    const cuda_cxx self;
    const auto nest = self.lower(whole.view());
    REQUIRE(nest);
    const std::vector<region_nest> nests{*nest, *nest};
    const auto made = cuda_cxx::print(nests);
    REQUIRE(made);
    const auto count = [&](const std::string& what) {
        std::size_t found = 0;
        for (std::size_t at = 0; (at = made->text.find(what, at)) != std::string::npos; ++at) ++found;
        return found;
    };
    CHECK(count("static inline __device__ float inlay_max_float32(") == 1);
    CHECK(count("#include <math.h>") == 1);
    CHECK(count("region_0_0(") == 1);
    CHECK(count("region_1_0(") == 1);
}

TEST_CASE("without a device nothing is emitted, and it says so") {
    if (detail::cuda_device::here()) return;
    small_graph t;
    const whole_region whole(t.finish(t.call("onnx.Relu", {t.input({4})})));
    cuda_cxx b;
    CHECK(b.usable().failure().message.find("there is no CUDA device here: ") == 0);
    CHECK(b.allocate(cuda_cxx::memory, 64).failure().message.find("there is no CUDA device here: ") == 0);
    b.model = true;
    CHECK(emit_region(b, whole.view()).failure().message.find("with -model target 'cuda_cxx' plans alone") != std::string::npos);
}
