// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/measure/kernel_check.hpp>

#include <algorithm>
#include <cmath>
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

enum class fault {
    none,
    scattered,
    lane,
    channel_block,
    share,
    second_run,
    half_of_second_run,
    stale,
    past_the_end,
    far_past_the_end,
    before_input,
    input,
    workspace,
    skipped_tail,
    adds_to_what_was_there,
    greater_than_what_was_there,
    less_than_what_was_there,
    no_times_what_was_there,
    reads_past_the_end
};

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
            case fault::half_of_second_run:
                // What is 0 stays 0, as behind a Relu.
                for (std::size_t k = 0; runs > 1 && k < n / 100; ++k) {
                    const std::size_t i = random() % n;
                    values[i] = values[i] > 0 ? values[i] * 1.5f : values[i];
                }
                break;
            case fault::second_run:
                if (runs > 1)
                    for (std::size_t k = 0; k < n / 100; ++k) spoil(random() % n);
                break;
            case fault::stale:
                if (!before.empty()) std::copy(before.begin(), before.end(), values.begin());
                break;
            case fault::adds_to_what_was_there:
            case fault::greater_than_what_was_there:
            case fault::less_than_what_was_there:
            case fault::no_times_what_was_there:
                for (std::size_t k = 0; k < n / 100; ++k) {
                    const std::size_t i = random() % n;
                    const float held = static_cast<const float*>(a.results[0])[i];
                    if (what == fault::adds_to_what_was_there) values[i] += held;
                    if (what == fault::greater_than_what_was_there) values[i] = held > values[i] ? held : values[i];
                    if (what == fault::less_than_what_was_there) values[i] = held < values[i] ? held : values[i];
                    if (what == fault::no_times_what_was_there) values[i] += held * 0;
                }
                break;
            case fault::reads_past_the_end: {
                // Half of the numbers there have the right result.
                const float beyond = static_cast<const float*>(a.inputs[0])[n];
                values[n - 1] = beyond > 0 ? std::tanh(beyond) * 2 : values[n - 1];
                break;
            }
            default:
                break;
        }
        before = correct;
        std::memcpy(a.results[0], y.data(), (n - (what == fault::skipped_tail ? 1 + seed % 7 : 0)) * sizeof(float));
        if (what == fault::past_the_end) static_cast<float*>(a.results[0])[n] = 0;
        if (what == fault::far_past_the_end) static_cast<float*>(a.results[0])[n + 100 + seed] = 0;
        if (what == fault::before_input) static_cast<float*>(const_cast<void*>(a.inputs[0]))[-1] = 0;
        if (what == fault::input) static_cast<float*>(const_cast<void*>(a.inputs[0]))[seed] += 1;
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
    for (int number = 1; number <= static_cast<int>(fault::reads_past_the_end); ++number) {
        const auto what = static_cast<fault>(number);
        CAPTURE(number);
        int found = 0;
        for (std::uint64_t seed = 1; seed <= 100; ++seed) found += refused(what, seed);
        CHECK(found >= 99);
    }
    for (std::uint64_t seed = 1; seed <= 20; ++seed) CHECK_FALSE(refused(fault::none, seed));
    CHECK(check_kernel(kernel(faulty_kernel{&p.module}, 64), r, {}, find_onnx, {})->compared > 3800);
}

TEST_CASE(
    "a fault is found for 99 of 100 seeds where fewer elements are compared, since they take many operations [measure.check.faults]") {
    struct rows_program : sampled_program {
        rows_program() { finish({call("onnx.Softmax", {input({200, 128})})}); }
    } rows;
    struct product_program : sampled_program {
        product_program() {
            const auto a = input({100, 96}), b = input({96, 64});
            finish({call("onnx.MatMul", {a, b})});
        }
    } product;
    const std::vector<format> formats(2, plain_format(element_type::float32));
    // Forty rows by 128 numbers of 20 operations, and about 400 elements by 96.
    for (const auto& [p, operations] : {std::pair<const sampled_program*, double>(&rows, 1.1e5), {&product, 4e4}}) {
        region_view r = p->whole->view();
        r.input_formats = std::span(formats).first(r.input_count);
        r.result_formats = std::span(formats).first(1);
        kernel_check_options options;
        options.most_operations = operations;
        options.cheap_operations = 0;
        int found = 0, compared = 0;
        for (std::uint64_t seed = 1; seed <= 100; ++seed) {
            options.seed = seed;
            found += !check_kernel(kernel(faulty_kernel{&p->module, fault::scattered, seed}), r, {}, find_onnx, {}, options).has_value();
        }
        const auto right = check_kernel(kernel(faulty_kernel{&p->module, fault::none, 1}), r, {}, find_onnx, {}, options);
        REQUIRE((right && right->is_checked()));
        compared = static_cast<int>(right->compared);
        CAPTURE(compared);
        CHECK((compared > 600 && compared < 1400));
        CHECK(found >= 99);
    }
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
    CHECK(check_kernel(kernel(nothing{}), r, {}, find_onnx, {}).failure().message.find("gives -inf at result 0[0,0], expected") !=
          std::string::npos);
    const auto unknown = check_kernel(kernel(nothing{}), r, {}, [](std::string_view) -> const op_definition* { return nullptr; }, {});
    REQUIRE(unknown.has_value());
    CHECK_FALSE(unknown->is_checked());
    CHECK(unknown->unchecked == "Relu: it has no meaning here");
}

TEST_CASE("the sentence says how far beyond its tensors a kernel writes, and which input it changes [measure.check.sentence]") {
    sampled_program p;
    p.finish({p.call("onnx.Relu", {p.input({2, 3})})});
    const std::vector<format> formats(1, plain_format(element_type::float32));
    region_view r = p.whole->view();
    r.input_formats = r.result_formats = formats;
    struct stray {
        std::ptrdiff_t at;
        bool is_input;
        bool run(const run_arguments& a) const {
            for (std::size_t i = 0; i < 6; ++i)
                static_cast<float*>(a.results[0])[i] = std::max(static_cast<const float*>(a.inputs[0])[i], 0.0f);
            (is_input ? static_cast<float*>(const_cast<void*>(a.inputs[0])) : static_cast<float*>(a.results[0]))[at] = 1;
            return true;
        }
    };
    const auto sentence = [&](stray s) { return check_kernel(kernel(s), r, {}, find_onnx, {}).failure().message; };
    CHECK(sentence({6, false}) == "it writes 4 bytes beyond result 0");
    CHECK(sentence({200, false}) == "it writes 780 bytes beyond result 0");
    CHECK(sentence({-2, false}) == "it writes 8 bytes before result 0");
    CHECK(sentence({6, true}) == "it writes 4 bytes beyond input 0");
    CHECK(sentence({0, true}) == "it writes to input 0");
}

TEST_CASE("a kernel that leaves no zeros behind the last channel of a result in blocks is wrong [measure.check.faults]") {
    sampled_program p;
    p.finish({p.call("onnx.Relu", {p.input({2, 20, 9, 9})})});
    const std::vector<format> formats(1, format{{}, layout::channels_blocked(8), element_type::float32});
    region_view r = p.whole->view();
    r.input_formats = r.result_formats = formats;
    struct filling {
        std::size_t fault;  // one in so many channels behind the last; 0: none
        bool run(const run_arguments& a) const {
            for (std::size_t i = 0; i < 2 * 24 * 81; ++i) {
                const std::size_t channel = i / (8 * 81) % 3 * 8 + i % 8;
                const float x = static_cast<const float*>(a.inputs[0])[i];
                static_cast<float*>(a.results[0])[i] = x > 0 ? x : channel >= 20 && fault != 0 && i % fault == 0 ? 0.5f : 0;
            }
            return true;
        }
    };
    CHECK(check_kernel(kernel(filling{0}), r, {}, find_onnx, {}).has_value());
    for (const std::size_t fault : {1, 2, 97})
        CHECK(check_kernel(kernel(filling{fault}), r, {}, find_onnx, {}).failure().message ==
              "it gives 0.5 behind the last channel of result 0, expected 0");
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
