// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/simulated_device/backend.hpp>

#include <doctest/doctest.h>

#include "../../candidate/toy_backends.hpp"
#include "../../runtime/random_program.hpp"

#include <inlay/codegen/list/choose_backends.hpp>
#include <inlay/io/json/plan_file.hpp>
#include <inlay/plan/recorded_plan.hpp>
#include <inlay/runtime/profile.hpp>
#include <inlay/target/read_target.hpp>

#include "two_devices.hpp"

using namespace two_devices;

namespace {

constexpr std::size_t on_device = 0, on_cpu = 1;

list devices(double speed, double gbps, double us, double cpu_us = 10) {
    simulated_device d;
    d.speed = speed;
    d.copy_gbps = gbps;
    d.copy_us = us;
    cpu c;
    c.us = cpu_us;
    return list(d, c);
}

ir_module relu_chain(std::size_t calls, std::int64_t length) {
    ir_builder b;
    b.open_block();
    const node_id x[] = {b.input("x", row(length))};
    node_id last = x[0];
    for (std::size_t i = 0; i < calls; ++i) last = b.call("onnx.Relu", {last}, {}, row(length), "r" + std::to_string(i));
    b.declare(b.function(x, last, "main"));
    return b.finish();
}

}  // namespace

TEST_CASE(
    "plans that mix both devices give what the program means, and no kernel of the CPU gets an address of the other "
    "[plan.copies.memories-apart]") {
    seen = {};
    std::size_t mixed = 0;
    for (std::uint32_t seed = 0; seed < 60; ++seed) {
        CAPTURE(seed);
        const ir_module m = random_program(seed, 2 + seed % 20);
        const list backends = devices(1000, 1000, seed % 3 == 0 ? 0.0 : 4.0);
        const plan p = must_plan(m, backends);
        mixed += nodes_on(p, on_device) != 0 && nodes_on(p, on_cpu) != 0;
        check_meaning(m, must_link(m, backends, p), random_inputs(m, seed));
    }
    CHECK(mixed > 20);
    CHECK(seen.all > 200);
    CHECK(seen.of_the_device == 0);
}

TEST_CASE("what a plan says crosses between memories is what its program copies, and what its file says [plan.copies.bytes]") {
    for (std::uint32_t seed = 0; seed < 40; ++seed) {
        CAPTURE(seed);
        const ir_module m = random_program(seed, 3 + seed % 15, 8 + seed);
        const list backends = devices(1000, 1000, 1);
        const plan p = must_plan(m, backends);
        const program code = must_link(m, backends, p);
        std::uint64_t told = 0, copied = 0;
        for (const auto& [c, bytes] : p.copied_bytes) told += bytes;
        CHECK(p.copied_bytes.size() == p.cut.conversions.size());  // neither device has layouts
        for (const step_facts& s : code.steps()) {
            CHECK(s.is_conversion == (s.copied != 0));
            if (s.copied != 0) CHECK(s.label.find("copy float32:plain") == 0);
            if (s.copied != 0) CHECK(p.copied_bytes.at(p.cut.conversions[s.number]) == s.copied);
            copied += s.copied;
        }
        CHECK(told == copied);
        const plan_record record = record_of(
            m, p, [&](backend_id b) { return std::string(backends.kind(b)); }, recorded_targets(backends), false);
        std::uint64_t written = 0;
        for (const recorded_conversion& c : record.conversions) written += c.copied_bytes;
        CHECK(written == copied);
        const auto read = read_plan_record(write_plan_record(record));
        REQUIRE_MESSAGE(read.has_value(), read.failure().message);
        CHECK(*read == record);
        const auto again = plan_of(*read, m, enumerate(m, backends), [&](backend_id b) { return std::string(backends.kind(b)); });
        REQUIRE_MESSAGE(again.has_value(), again.failure().message);
        CHECK(again->copied_bytes == p.copied_bytes);
    }
}

TEST_CASE("a profile names copies with their bytes") {
    const ir_module m = relu_chain(1, 100);
    const list backends = devices(1e6, 1000, 0);
    const plan p = must_plan(m, backends);
    const program code = must_link(m, backends, p);
    auto frame = code.make_frame();
    auto results = code.make_results();
    REQUIRE(frame.has_value());
    REQUIRE(results.has_value());
    profile taken;
    REQUIRE(run_profiled(code, *frame, random_inputs(m, 1), *results, {}, taken).has_value());
    const std::string trace = chrome_trace(code, taken);
    CHECK(trace.find("\"name\":\"copy float32:plain to float32:plain@ext_dev\"") != std::string::npos);
    CHECK(trace.find("\"name\":\"copy float32:plain@ext_dev to float32:plain\"") != std::string::npos);
    CHECK(trace.find("\"bytes\":800,\"copied\":400") != std::string::npos);
}

TEST_CASE("the price of kernels and copies is the model that the options set") {
    simulated_device d;
    d.copy_gbps = 2;
    d.copy_us = 3;
    constexpr memory_scope main, own = simulated_device::memory;
    CHECK(*d.copy_seconds(main, own, 1000) == doctest::Approx(3.5e-6));
    CHECK(*d.copy_seconds(own, main, 0) == doctest::Approx(3e-6));
    CHECK_FALSE(d.copy_seconds(own, own, 1).has_value());
    CHECK_FALSE(d.copy_seconds(main, main, 1).has_value());
    CHECK_FALSE(d.copy_seconds(main, {device_type::ext_dev, 1}, 1).has_value());
    CHECK_FALSE(d.copy_seconds({device_type::cuda, 0}, own, 1).has_value());
    CHECK_FALSE(d.emit_copy(own, own, 1).has_value());

    const ir_module m = relu_chain(1, 20'000);
    const candidate_set set = enumerate(m, backend_list<simulated_device>());
    REQUIRE(set.candidates.size() == 1);
    const double slow = *d.price(set.candidates[0].view());
    CHECK(slow == doctest::Approx(1e-6 + 160'000 / 20e9));
    d.speed = 8;
    CHECK(*d.price(set.candidates[0].view()) == doctest::Approx(slow / 8));
}

TEST_CASE("nodes go to the device exactly where what it saves is more than what copies cost") {
    // Three calls of 10 us each on the CPU; on the device next to nothing, and two copies of 400 bytes.
    const ir_module m = relu_chain(3, 100);
    const plan near = must_plan(m, devices(1e6, 1000, 14));
    CHECK(nodes_on(near, on_device) == 3);
    CHECK(*near.chosen.seconds == doctest::Approx(28e-6).epsilon(1e-3));
    const plan far = must_plan(m, devices(1e6, 1000, 16));
    CHECK(nodes_on(far, on_device) == 0);
    CHECK(far.cut.conversions.empty());
    CHECK(*far.chosen.seconds == doctest::Approx(30e-6));
}

TEST_CASE("a launch is charged for a copy as for a kernel") {
    const ir_module m = relu_chain(3, 100);
    plan_options options;
    options.launch_seconds = 1e-6;
    CHECK(*must_plan(m, devices(1e6, 1000, 14), options).chosen.seconds == doctest::Approx(33e-6).epsilon(1e-3));
}

TEST_CASE("a copy stands once for all readers of a value in one place [plan.copies.shared]") {
    ir_builder b;
    b.open_block();
    const node_id x[] = {b.input("x", row())};
    const node_id one = b.call("onnx.Relu", {x[0]}, {}, row(), "one"), two = b.call("onnx.Neg", {x[0]}, {}, row(), "two");
    const node_id fields[] = {one, two, b.call("onnx.Add", {one, two}, {}, row(), "three")};
    b.declare(b.function(x, b.tuple(fields), "main"));
    const ir_module m = b.finish();
    const list backends = devices(1e6, 1000, 0.001);
    const plan p = must_plan(m, backends);
    CHECK(nodes_on(p, on_device) == 3);
    REQUIRE(p.cut.conversions.size() == 4);  // x goes in, three results come out
    CHECK(must_link(m, backends, p).steps().size() == 7);
}

TEST_CASE("an operator that the device has not stays with the CPU, and the value comes back for it") {
    ir_builder b;
    b.open_block();
    const node_id x[] = {b.input("x", row())};
    const node_id sine = b.call("onnx.Sin", {b.call("onnx.Relu", {x[0]}, {}, row(), "before")}, {}, row(), "sine");
    b.declare(b.function(x, b.call("onnx.Tanh", {sine}, {}, row(), "behind"), "main"));
    const ir_module m = b.finish();
    const list backends = devices(1e6, 1e6, 0.001);
    const plan p = must_plan(m, backends);
    CHECK(nodes_on(p, on_device) == 2);
    CHECK(nodes_on(p, on_cpu) == 1);
    CHECK(p.cut.conversions.size() == 4);
    check_meaning(m, must_link(m, backends, p), random_inputs(m, 7));
}

TEST_CASE("images, products and constants run on the device by their meaning") {
    ir_builder b;
    b.open_block();
    const tensor_type image(element_type::float32, {1, 3, 8, 8});
    const node_id x[] = {b.input("x", image)};
    tensor kernels(element_type::float32, {4, 3, 3, 3});
    for (std::size_t i = 0; i < kernels.count(); ++i) kernels.as<float>()[i] = static_cast<float>(i % 7) * 0.25f - 0.75f;
    const attribute_map same{{"pads", std::vector<std::int64_t>{1, 1, 1, 1}}},
        halves{{"kernel_shape", std::vector<std::int64_t>{2, 2}}, {"strides", std::vector<std::int64_t>{2, 2}}};
    const node_id conv = b.call("onnx.Conv", {x[0], b.constant(kernels)}, same, tensor_type(element_type::float32, {1, 4, 8, 8}), "conv");
    const node_id relu = b.call("onnx.Relu", {conv}, {}, tensor_type(element_type::float32, {1, 4, 8, 8}), "relu");
    const node_id pool = b.call("onnx.MaxPool", {relu}, halves, tensor_type(element_type::float32, {1, 4, 4, 4}), "pool");
    const node_id flat = b.call("onnx.Flatten", {pool}, {}, tensor_type(element_type::float32, {1, 64}), "flat");
    tensor weights(element_type::float32, {64, 5});
    for (std::size_t i = 0; i < weights.count(); ++i) weights.as<float>()[i] = static_cast<float>(i % 5) * 0.5f - 1.0f;
    const node_id product = b.call("onnx.MatMul", {flat, b.constant(weights)}, {}, tensor_type(element_type::float32, {1, 5}), "product");
    b.declare(b.function(x, b.call("onnx.Softmax", {product}, {}, tensor_type(element_type::float32, {1, 5}), "softmax"), "main"));
    const ir_module m = b.finish();
    const backend_list<simulated_device> alone;
    const plan p = must_plan(m, alone);
    CHECK(p.cut.conversions.size() == 2);
    REQUIRE(p.cut.parts.size() == 1);
    CHECK(p.cut.parts[0].composites.size() == 5);  // convolution and function are one
    check_meaning(m, must_link(m, alone, p), random_inputs(m, 3));
}

namespace {

/// Counts what it is asked, and gives everything a microsecond.
struct counting_meter {
    std::size_t regions = 0, conversions = 0, elsewhere = 0;
    std::vector<measurement> price(std::span<const pricing_job> jobs) {
        const double one = 1e-6;
        for (const pricing_job& job : jobs) {
            const bool is_region = job.what == pricing_job::subject::region;
            ++(is_region ? regions : conversions);
            elsewhere += !is_region && (job.from.scope != memory_scope() || job.to.scope != memory_scope());
        }
        return std::vector<measurement>(jobs.size(), measurement::of(std::span(&one, 1)));
    }
};

/// The CPU with its channels last, and that alone.
struct last {
    static constexpr std::string_view kind = "reference", refines = "llvm";
    static constexpr device_type device = device_type::cpu;
    using options = option_list<>;
    static std::string version() { return "1"; }
    outcome<void> usable() const { return {}; }
    static constexpr auto patterns() { return toys::rows::patterns(); }
    std::vector<border_formats> formats(const region_view& r) const {
        border_formats made = plain_borders(r);
        for (std::vector<format>* side : {&made.inputs, &made.results})
            for (format& f : *side) f.order = layout::channels_last();
        return {made};
    }
    std::optional<double> price(const region_view& r) const { return r.calls()[0].op == "onnx.Relu" ? 1e-3 : 1e-9; }
    outcome<kernel> emit(const region_view& r) const { return toys::elementwise_kernel(r); }
};

/// x * x on the CPU, then the rectifier on the device, then the sum on the CPU.
ir_module there_and_back() {
    return toys::program_of(toys::image(), [](ir_builder& b, node_id x) {
        const node_id square = b.call("onnx.Mul", {x, x}, {}, toys::image(), "square");
        const node_id relu = b.call("onnx.Relu", {square}, {}, toys::image(), "relu");
        return b.call("onnx.Add", {relu, square}, {}, toys::image(), "sum");
    });
}
backend_list<simulated_device, last> slow_sums() {
    simulated_device d;
    d.speed = 0.001;  // a millisecond for a call
    d.copy_us = 2;
    d.copy_gbps = 1e9;
    return backend_list<simulated_device, last>(d, last());
}

}  // namespace

TEST_CASE(
    "a conversion between memories and layouts costs its copy, by the model, and its change of layout, by the meter [plan.copies.price]") {
    const ir_module m = there_and_back();
    auto backends = slow_sums();
    simulated_device fast;
    fast.copy_us = 2;
    fast.copy_gbps = 1e9;
    fast.speed = 1e-2;
    backends = backend_list<simulated_device, last>(fast, last());
    counting_meter meter;
    const auto p = make_plan(m, backends, meter, no_bound());
    REQUIRE_MESSAGE(p.has_value(), p.failure().message);
    CHECK(meter.regions == 0);
    CHECK(meter.elsewhere == 0);
    CHECK(meter.conversions != 0);
    std::size_t crossing = 0;
    double sum = 0;
    for (const conversion& c : p->cut.conversions) {
        const double expected = (c.from.order != c.to.order ? 1e-6 : 0) + (c.from.scope != c.to.scope ? 2e-6 : 0);
        CHECK(p->conversions.at(c).median == doctest::Approx(expected).epsilon(1e-3));
        CHECK(p->copied_bytes.contains(c) == (c.from.scope != c.to.scope));
        crossing += c.from.scope != c.to.scope;
        sum += p->conversions.at(c).median;
    }
    CHECK(crossing == 2);
    for (const std::size_t c : p->chosen.chosen) sum += p->prices[c].median;
    CHECK(*p->chosen.seconds == doctest::Approx(sum));
    check_meaning(m, must_link(m, backends, *p), random_inputs(m, 5));
}

TEST_CASE("what kernels and copies of the device took in whole programs changes no price of theirs [plan.copies.model-stays]") {
    const ir_module m = random_program(5, 12);
    const list backends = devices(1000, 1000, 1);
    toys::no_meter meter;
    plan_options options;
    std::size_t asked = 0;
    auto whole = [&](const candidate_set& set, std::span<const std::vector<std::size_t>> covers) {
        const double hour = 3600;
        std::vector<program_timing> told;
        for (const std::vector<std::size_t>& cover : covers) {
            program_timing& one = told.emplace_back();
            ++asked;
            for (const std::size_t c : cover)
                if (set.candidates[c].backend == on_device) one.candidates.emplace_back(c, measurement::of(std::span(&hour, 1)));
            for (const conversion& c : partition(m, set, cover).conversions)
                one.conversions.emplace_back(c, measurement::of(std::span(&hour, 1)));
        }
        return told;
    };
    const auto p = make_plan(m, backends, meter, no_bound(), options, whole);
    REQUIRE_MESSAGE(p.has_value(), p.failure().message);
    CHECK(asked == 1);
    CHECK(*p->chosen.seconds == *must_plan(m, backends).chosen.seconds);
    CHECK(nodes_on(*p, on_device) != 0);
}

TEST_CASE("a program in two memories gives by any schedule what it gives one step after the other") {
    std::size_t lanes = 0;
    random_programs::thread_executor threads{3};
    for (std::uint32_t seed = 0; seed < 15; ++seed) {
        CAPTURE(seed);
        const ir_module m = random_program(seed, 8 + seed);
        const list backends = devices(1000, 1000, 1);
        const plan p = must_plan(m, backends);
        program code = must_link(m, backends, p);
        const std::vector<tensor> inputs = random_inputs(m, seed);
        const auto expected = code.run(inputs);
        REQUIRE(expected.has_value());
        for (std::uint64_t again = 0; again < 5; ++again) {
            const step_schedule s = random_programs::random_schedule(100 * seed + again, code.reads());
            REQUIRE(code.follow(s).has_value());
            lanes += s.groups_of_lanes();
            const auto found = code.run(inputs, threads);
            REQUIRE_MESSAGE(found.has_value(), found.failure().message);
            CHECK(random_programs::same_bytes(*found, *expected));
        }
    }
    CHECK(lanes > 15);
}

TEST_CASE("the memory of a device is planned like the CPU's: what is no longer read makes room") {
    const ir_module m = relu_chain(10, 1000);
    const list backends = devices(1e6, 1000, 0);
    const program code = must_link(m, backends, must_plan(m, backends));
    const auto bytes = code.device_bytes();
    REQUIRE(bytes.size() == 1);
    CHECK(bytes[0].first == simulated_device::memory);
    CHECK(bytes[0].second >= 2 * 4000);
    CHECK(bytes[0].second <= 2 * 4032);
    CHECK(code.arena_bytes() == 0);
}

TEST_CASE("a kernel of the device that is given an address of the CPU fails") {
    const ir_module m = relu_chain(1, 4);
    const candidate_set set = enumerate(m, backend_list<simulated_device>());
    const auto code = simulated_device().emit(set.candidates[0].view());
    REQUIRE(code.has_value());
    float x[4] = {}, y[4] = {};
    const void* in[] = {x};
    void* out[] = {y};
    run_arguments a;
    a.inputs = in;
    a.results = out;
    CHECK_FALSE((*code)(a));
}

TEST_CASE("the device takes part where it is named, and not among all that can run [plan.copies.simulated-when-named]") {
    list backends;
    const target_schemas known = schemas_of(backends);
    const auto unnamed = choose_backends(backends, {}, known);
    REQUIRE_MESSAGE(unnamed.has_value(), unnamed.failure().message);
    CHECK(backends.chosen() == std::vector<std::size_t>{on_cpu});
    const auto targets = read_target_list("simulated_device -speed=8 -copy_us=2.5, reference", known);
    REQUIRE_MESSAGE(targets.has_value(), targets.failure().message);
    const auto named = choose_backends(backends, *targets, known);
    REQUIRE_MESSAGE(named.has_value(), named.failure().message);
    CHECK(backends.chosen() == std::vector<std::size_t>{on_device, on_cpu});
    CHECK(backends.text(on_device) == "simulated_device -speed=8 -copy_us=2.5");
    CHECK(named->least_specialised(device_type::ext_dev)->kind == "ext_dev");
}

TEST_CASE("an option that no model can have is refused in a sentence") {
    const target_schemas known = schemas_of(list());
    for (const auto& [text, says] :
         {std::pair("simulated_device -speed=0", "option '-speed' of target 'simulated_device' takes a number above 0, up to 1e9, not 0"),
          std::pair("simulated_device -copy_gbps=-1",
                    "option '-copy_gbps' of target 'simulated_device' takes a number above 0, up to 1e9, not -1"),
          std::pair("simulated_device -copy_us=-1",
                    "option '-copy_us' of target 'simulated_device' takes a number from 0 to 1e9, not -1")}) {
        const auto read = read_target_list(text, known);
        REQUIRE_FALSE(read.has_value());
        CHECK_MESSAGE(read.failure().message.find(says) != std::string::npos, read.failure().message);
    }
    simulated_device d;
    d.speed = std::nan("");
    CHECK_FALSE(d.usable().has_value());
}
