// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/measure/kernel_check.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/cost/statistics.hpp>
#include <inlay/ops/interpret/interpret.hpp>
#include <inlay/ops/onnx/onnx_ops.hpp>

#include "../ops/sample/sampled_program.hpp"

using namespace inlay;
using sample_test::sampled_program;

namespace {

const op_definition* find_onnx(std::string_view name) { return onnx_ops::find(name); }

enum class fault { none, scattered, lane, channel_block, share, second_run, stale, past_the_end, input, workspace, skipped_tail };

/// A kernel that computes its region by the interpreter, but for a fault.
struct faulty_kernel {
    const ir_module* module;
    fault what = fault::none;
    std::uint64_t seed = 1;
    mutable int runs = 0;
    mutable std::vector<float> before{};

    bool run(const run_arguments& a) const {
        inlay::detail::splitmix random{seed};
        ++runs;
        std::vector<tensor> inputs;
        for (const node_id n : module->inputs()) {
            const tensor_type& type = module->type(n).of_tensor;
            tensor t(type.element, static_shape(type));
            std::memcpy(t.data(), a.inputs[inputs.size()], t.bytes());
            inputs.push_back(std::move(t));
        }
        auto right = interpret(*module, inputs);
        if (!right) return false;
        tensor& y = right->front();
        const auto values = y.as<float>();
        const std::size_t n = values.size();
        std::vector<float> correct(values.begin(), values.end());
        const auto spoil = [&](std::size_t i) { values[i] += 1.0f + static_cast<float>(random.unit()); };
        switch (what) {
            case fault::scattered:
                for (std::size_t k = 0; k < n / 100; ++k) spoil(random() % n);
                break;
            case fault::lane:
                for (std::size_t i = seed % 16; i < n; i += 16) spoil(i);
                break;
            case fault::channel_block:
                // Channels are axis 1; 8 of 32.
                for (std::size_t i = 0; i < n; ++i)
                    if (i / (n / 32) / 8 == seed % 4) spoil(i);
                break;
            case fault::share:
                for (std::size_t i = n * (seed % 4) / 4; i < n * (seed % 4 + 1) / 4; ++i) spoil(i);
                break;
            case fault::second_run:
                if (runs > 1)
                    for (std::size_t k = 0; k < n / 100; ++k) spoil(random() % n);
                break;
            case fault::stale:
                if (!before.empty()) std::copy(before.begin(), before.end(), values.begin());
                break;
            default:
                break;
        }
        before = correct;
        std::memcpy(a.results[0], y.data(), (n - (what == fault::skipped_tail ? 1 + seed % 7 : 0)) * sizeof(float));
        if (what == fault::past_the_end) static_cast<float*>(a.results[0])[n] = 0;
        if (what == fault::input) static_cast<float*>(const_cast<void*>(a.inputs[0]))[-1] = 0;
        if (what == fault::workspace && a.workspace != nullptr) a.workspace[64] = std::byte{0};
        return true;
    }
};

/// One wrong answer in a program of two operators.
struct checked_program : sampled_program {
    checked_program() {
        const auto x = input({1, 32, 20, 20});
        finish({call("onnx.Mul", {call("onnx.Tanh", {x}), number(2)})});
    }
};

}  // namespace

TEST_CASE("a right kernel passes, and a fault is found for 99 of 100 seeds [measure.check.faults]") {
    const checked_program p;
    const region_view plain = p.whole->view();
    const std::vector<format> formats(1, plain_format(element_type::float32));
    region_view r = plain;
    r.input_formats = r.result_formats = formats;
    const auto refused = [&](fault what, std::uint64_t seed) {
        kernel code(faulty_kernel{&p.module, what, seed}, 64);
        kernel_check_options options;
        options.seed = seed;
        return !check_kernel(code, r, {}, find_onnx, {}, options).has_value();
    };
    for (const fault what : {fault::scattered, fault::lane, fault::channel_block, fault::share, fault::second_run, fault::stale,
                             fault::past_the_end, fault::input, fault::workspace, fault::skipped_tail}) {
        CAPTURE(static_cast<int>(what));
        int found = 0;
        for (std::uint64_t seed = 1; seed <= 100; ++seed) found += refused(what, seed);
        CHECK(found >= 99);
    }
    for (std::uint64_t seed = 1; seed <= 20; ++seed) CHECK_FALSE(refused(fault::none, seed));
}

TEST_CASE("the sentence names the first wrong element, what it is and what was expected [measure.check.sentence]") {
    sampled_program p;
    p.finish({p.call("onnx.Relu", {p.input({2, 3})})});
    struct zeros {
        static bool run(const run_arguments& a) {
            std::memset(a.results[0], 0, 24);
            return true;
        }
    };
    const std::vector<format> formats(1, plain_format(element_type::float32));
    region_view r = p.whole->view();
    r.input_formats = r.result_formats = formats;
    const auto verdict = check_kernel(kernel(zeros{}), r, {}, find_onnx, {});
    REQUIRE_FALSE(verdict.has_value());
    CHECK(verdict.failure().message.starts_with("it gives 0 at result 0[0,"));
    CHECK(verdict.failure().message.find(", expected ") != std::string::npos);
    struct nothing {
        static bool run(const run_arguments&) { return true; }
    };
    CHECK(check_kernel(kernel(nothing{}), r, {}, find_onnx, {}).failure().message.find("gives nan at result 0[0,0], expected") !=
          std::string::npos);
    const auto unknown = check_kernel(kernel(nothing{}), r, {}, [](std::string_view) -> const op_definition* { return nullptr; }, {});
    REQUIRE(unknown.has_value());
    CHECK_FALSE(unknown->is_checked());
    CHECK(unknown->unchecked == "Relu: it has no meaning here");
}

TEST_CASE("every change of layout moves each element to its place and fills blocks with zeros [measure.check.conversion]") {
    const layout layouts[] = {layout::plain(), layout::channels_last(), layout::channels_blocked(8), layout::channels_blocked(16)};
    for (const std::vector<std::int64_t>& extents :
         {std::vector<std::int64_t>{2, 5, 3, 2}, {1, 16, 4}, {3, 1, 1, 1}, {2, 9}, {7}, {2, 0, 3}})
        for (const layout& from : layouts)
            for (const layout& to : layouts) {
                const format a{{}, from, element_type::float32}, b{{}, to, element_type::float32};
                const auto how = layout_conversion::make(extents, a, b);
                REQUIRE(how.has_value());
                const auto verdict = check_conversion(conversion_kernel(*how), extents, a, b, {});
                CHECK_MESSAGE(verdict.has_value(), (verdict ? std::string() : verdict.failure().message));
            }
    struct copy {
        static bool run(const run_arguments& a) {
            std::memcpy(a.results[0], a.inputs[0], 48);
            return true;
        }
    };
    const format plain = plain_format(element_type::float32), last{{}, layout::channels_last(), element_type::float32};
    CHECK(check_conversion(kernel(copy{}), {1, 3, 2, 2}, plain, last, {}).failure().message == "it moves another element to [0,0,0,1]");
}
