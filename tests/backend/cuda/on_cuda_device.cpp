// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cuda/on_cuda_device.hpp>

#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include <inlay/codegen/emit/emit_region.hpp>
#include <inlay/codegen/kernel/conversion_route.hpp>
#include <inlay/codegen/list/backend_list.hpp>
#include <inlay/pattern/dsl/composite.hpp>
#include <inlay/pattern/dsl/dsl.hpp>
#include <inlay/runtime/emit_copy.hpp>
#include <inlay/target/option.hpp>

#include "../small_graph.hpp"

using namespace inlay;
using namespace inlay_test;

namespace {

/// Two back ends of one device, which differ in what they take.
template <class B>
struct plain_one : detail::on_cuda_device<B> {
    std::string arch;
    bool model = false;
    using options = option_list<>;

    static std::string version() { return "1"; }
    outcome<void> check() const { return this->check_arch(); }
    outcome<void> usable() const { return this->check_device(); }
    outcome<kernel> emit(const region_view&) const {
        auto there = this->check_device();
        return there ? outcome<kernel>(kernel()) : there.failure();
    }
};
struct rectifier : plain_one<rectifier> {
    static constexpr std::string_view kind = "rectifier";
    static constexpr auto patterns() { return pattern_table(composite<"relu">(dsl::op<"onnx.Relu">)); }
};
struct negator : plain_one<negator> {
    static constexpr std::string_view kind = "negator";
    static constexpr auto patterns() { return pattern_table(composite<"neg">(dsl::op<"onnx.Neg">)); }
};

}  // namespace

TEST_CASE("tensors stand in the device's memory, and copies lead in and out alone") {
    small_graph t;
    const whole_region whole(t.finish(t.call("onnx.Relu", {t.input({4})})));
    const rectifier b;
    const auto formats = b.formats(whole.view());
    REQUIRE(formats.size() == 1);
    CHECK(formats[0].inputs[0].scope == rectifier::memory);
    CHECK(formats[0].results[0].scope == rectifier::memory);
    CHECK(b.copy_seconds({}, rectifier::memory, 32000000).value() == doctest::Approx(0.00101));
    CHECK(!b.copy_seconds({}, {}, 1));
    CHECK(!b.copy_seconds(rectifier::memory, rectifier::memory, 1));
    CHECK(!b.copy_seconds(rectifier::memory, {device_type::ext_dev, 0}, 1));
    CHECK(b.emit_copy({}, {}, 1).failure().message == "target 'rectifier' copies between the CPU's main memory and its device's alone");
}

TEST_CASE(
    "back ends of one device have one memory: tensors go from one to the other without a copy, and the first one's copies lead there") {
    const backend_list<rectifier, negator> both;
    REQUIRE(both.chosen().size() == 2);
    CHECK(source_of(both, negator::memory)->scope() == rectifier::memory);
    const auto in = copy_by(both, {}, negator::memory, 64);
    REQUIRE(in);
    CHECK(in->backend == 0);
    const backend_list<negator> alone;
    CHECK(copy_by(alone, negator::memory, {}, 64)->backend == 0);
    small_graph t;
    const whole_region whole(t.finish(t.call("onnx.Neg", {t.input({4})})));
    const format made = rectifier().formats(whole.view())[0].results[0], read = negator().formats(whole.view())[0].inputs[0];
    const auto none = route_between({4}, made, read, [&](memory_scope a, memory_scope b, std::size_t n) { return copy_by(both, a, b, n); });
    REQUIRE(none);
    CHECK(none->copies.empty());
}

TEST_CASE("an architecture that is none is refused, and so is a model of one that has none") {
    const auto refused = [](const char* arch, bool model) {
        rectifier b;
        b.arch = arch;
        b.model = model;
        const auto fits = b.check();
        return fits ? std::string() : fits.failure().message;
    };
    CHECK(refused("", true).empty());
    CHECK(refused("sm_50", false).empty());
    CHECK(refused("sm_90a", true).empty());
    for (const char* wrong : {"sm_", "80", "sm_9b", "sm_a"})
        CHECK(refused(wrong, false) ==
              "option '-arch' of target 'rectifier' takes 'sm_' and digits, as 'sm_80' or 'sm_90a', not '" + std::string(wrong) + "'");
    CHECK(refused("sm_50", true) ==
          "target 'rectifier' has no model of sm_50; -model goes with -arch of sm_75, sm_80, sm_86, sm_89, sm_90");
}

TEST_CASE("prices are the model's where it is asked for, else to be measured") {
    small_graph t;
    const whole_region whole(t.finish(t.call("onnx.Relu", {t.input({1 << 20})})));
    rectifier b;
    CHECK(!b.price(whole.view()));
    CHECK(!b.is_modelled());
    b.model = true;
    b.arch = "sm_80";
    CHECK(b.is_modelled());
    CHECK(*b.price(whole.view()) == doctest::Approx(5e-6 + 8.0 * (1 << 20) / 1555e9));
}

TEST_CASE("without a device nothing is emitted, and it says so") {
    if (detail::cuda_device::here()) return;
    small_graph t;
    const whole_region whole(t.finish(t.call("onnx.Relu", {t.input({4})})));
    rectifier b;
    const std::string why = detail::cuda_device::here().failure().message;
    CHECK(why.find("there is no CUDA device here: ") == 0);
    CHECK(b.usable().failure().message == why);
    CHECK(b.allocate(rectifier::memory, 64).failure().message == why);
    CHECK(b.emit_copy({}, rectifier::memory, 64).failure().message == why);
    b.model = true;
    CHECK(emit_region(b, whole.view()).failure().message == why + "; with -model target 'rectifier' plans alone");
}
