// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/target/configuration.hpp>

#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <inlay/target/read_target.hpp>

#include "sample_targets.hpp"

using namespace inlay;

namespace {

outcome<configuration> configured_from(std::string_view text, configuration_options options = {}) {
    auto list = read_target_list(text, sample_schemas());
    REQUIRE(list.has_value());
    return configuration::make(*std::move(list), sample_schemas(), options);
}
configuration made(std::string_view text, configuration_options options = {}) {
    auto c = configured_from(text, options);
    if (!c) FAIL(c.failure().message);
    return *std::move(c);
}
std::string refusal(std::string_view text, configuration_options options = {}) {
    const auto c = configured_from(text, options);
    return c ? "none: " + target_text(c->targets()) : c.failure().message;
}
/// The targets without their hosts.
std::string targets(std::string_view text) {
    std::vector<target_instance> bare;
    const configuration c = made(text);
    for (const target_instance& t : c.targets()) bare.push_back(without_host(t));
    return target_text(bare);
}
std::string host(std::string_view text) { return target_text(made(text).host()); }

}  // namespace

TEST_CASE("an empty list is an error [target.configuration.empty]") {
    CHECK(configuration::make({}, sample_schemas()).failure().message == "a configuration has at least one target; name one");
}

TEST_CASE("rule A: the host is that of the targets that have one [target.configuration.host-given]") {
    CHECK(host("accel, cuda -host='llvm -mcpu=x', llvm -mcpu=y") == "llvm -mcpu=x");
    CHECK(host("accel -host=c, cuda -host=c") == "c");
}

TEST_CASE("rule A: different hosts are an error that names both [target.configuration.host-conflict]") {
    CHECK(refusal("accel -host=c, cuda, cutlass -host='llvm -mcpu=x'") ==
          "targets 'accel' and 'cutlass' have different hosts, 'c' and 'llvm -mcpu=x'; a program has one, so give both the same or only "
          "one of them one");
}

TEST_CASE("rule B: otherwise the host is the CPU's plain target, never a back end [target.configuration.host-plain]") {
    CHECK(host("cuda, cpu_simd, llvm -mcpu=x") == "llvm -mcpu=x");
    CHECK(host("cpu_simd, c") == "c");
    CHECK(host("cpu_simd") == "llvm");
    CHECK(host("hexagon -num-cores=2, vulkan") == "hexagon -num-cores=2");
    CHECK(host("vulkan") == "llvm");
}

TEST_CASE("rule C: otherwise the host is a fresh llvm, or another plain target of the CPU [target.configuration.host-fresh]") {
    CHECK(host("cuda") == "llvm");
    CHECK(made("cuda").targets().size() == 1);
    target_schemas without_llvm;
    REQUIRE(without_llvm.add(schema_of<cuda_target>()).has_value());
    const std::vector<target_instance> list{schema_of<cuda_target>().bare()};
    CHECK(configuration::make(list, without_llvm).failure().message.find("no plain target of device type cpu is known") !=
          std::string::npos);
    REQUIRE(without_llvm.add(schema_of<c_target>()).has_value());
    const auto on_c = configuration::make(list, without_llvm);
    REQUIRE(on_c.has_value());
    CHECK(on_c->host().kind == "c");
}

TEST_CASE("a host is a plain target of the CPU [target.configuration.host-cpu]") {
    CHECK(refusal("accel -host=cuda") ==
          "the host of target 'accel' is 'cuda', and a host is a plain target of device type cpu or hexagon; name 'llvm' or 'c'");
    CHECK(refusal("accel -host=cpu_simd").find("is 'cpu_simd', and a host is a plain target") != std::string::npos);
}

TEST_CASE("every target gets the host, which has none itself [target.configuration.host-all]") {
    const configuration c = made("accel, cuda -host='llvm -mcpu=x', llvm");
    for (const target_instance& t : c.targets()) {
        REQUIRE(t.host.size() == 1);
        CHECK(t.host.front() == c.host());
    }
    CHECK(c.host().host.empty());
}

TEST_CASE("a kind stands once [target.configuration.kind-once]") {
    CHECK(refusal("accel -rows=2, c, accel") == "target 'accel' stands twice, as 'accel -rows=2' and as 'accel'; name it once");
    CHECK(refusal("c, c").find("stands twice") != std::string::npos);
}

TEST_CASE("a device type has one plain target [target.configuration.plain-once]") {
    CHECK(refusal("llvm, accel, c") == "'llvm' and 'c' are both plain targets of device type cpu, which has one; leave one out");
}

TEST_CASE("plain targets come first, the others stay in the user's order [target.configuration.order]") {
    CHECK(targets("tensorrt, accel, cuda -arch=sm_80, cpu_simd, ext_dev, cutlass, llvm") ==
          "cuda -arch=sm_80, ext_dev, llvm, tensorrt, accel, cpu_simd, cutlass");
}

TEST_CASE("missing plain targets are supplied, for the device types that are used [target.configuration.supply]") {
    CHECK(targets("cutlass") == "cuda, cutlass");
    CHECK(targets("cpu_simd, c") == "c, cpu_simd");
    CHECK(targets("cutlass, cpu_simd") == "cuda, llvm, cutlass, cpu_simd");
    CHECK(made("cutlass").targets().front().origin == target_origin::supplied);
    const target_instance simd = schema_of<sample_simd>().bare();
    target_instance on_c = simd;
    on_c.kind = "vendor";
    on_c.refines = "c";
    CHECK(configuration::make({on_c, simd}, sample_schemas())->least_specialised(device_type::cpu)->kind == "c");
    CHECK(configuration::make({simd, on_c}, sample_schemas())->least_specialised(device_type::cpu)->kind == "llvm");
}

TEST_CASE("the plain side of a compiler is one with an equal plain target, and clashes with another [target.configuration.compiler]") {
    CHECK(targets("cuda -arch=sm_80 -compiler=cutlass, cuda -arch=sm_80 -compiler=tensorrt") == "cuda -arch=sm_80, cutlass, tensorrt");
    CHECK(targets("cuda -arch=sm_80, cuda -arch=sm_80 -compiler=tensorrt") == "cuda -arch=sm_80, tensorrt");
    CHECK(made("cuda -arch=sm_80 -compiler=tensorrt, cuda -arch=sm_80").targets().front().origin == target_origin::written);
    CHECK(refusal("cuda -arch=sm_80 -compiler=cutlass, cuda -arch=sm_90") ==
          "target 'cuda' stands twice, as 'cuda -arch=sm_80' and as 'cuda -arch=sm_90'; name it once");
}

TEST_CASE("what refines names a plain target of its device type that somebody knows [target.configuration.refines]") {
    const auto refused = [](const char* refines, device_type device) {
        target_instance t;
        t.kind = "odd";
        t.device = device;
        t.refines = refines;
        return configuration::make({t}, sample_schemas()).failure().message;
    };
    CHECK(refused("llvm", device_type::cuda) == "target 'odd' is of device type cuda, and 'llvm', which it refines, is of another");
    CHECK(refused("cpu_simd", device_type::cpu) ==
          "target 'odd' refines 'cpu_simd', which refines another itself; it has to name a plain target");
    CHECK(refused("npu", device_type::cuda) == "target 'odd' refines 'npu', which nobody knows; add its schema to the known ones");
}

TEST_CASE("rule D: the default device type is the one that is asked for, if a target has it [target.configuration.default-asked]") {
    CHECK(made("cuda, llvm", {device_type::cuda}).default_device() == device_type::cuda);
    CHECK(refusal("cuda, llvm", {device_type::ext_dev}) ==
          "the default device type is to be ext_dev, which no target has; name a target of it");
}

TEST_CASE("rule E: otherwise it is the only one there is [target.configuration.default-only]") {
    CHECK(made("cuda").default_device() == device_type::cuda);
    CHECK(made("cutlass, tensorrt").default_device() == device_type::cuda);
    CHECK(made("cpu_simd").default_device() == device_type::cpu);
}

TEST_CASE("rule F: otherwise it is the CPU, whose plain target is then there [target.configuration.default-cpu]") {
    CHECK(made("cuda, cpu_simd").default_device() == device_type::cpu);
    const configuration c = made("cuda -host='llvm -mcpu=x', accel");
    CHECK(c.default_device() == device_type::cpu);
    REQUIRE(c.least_specialised(device_type::cpu) != nullptr);
    CHECK(without_host(*c.least_specialised(device_type::cpu)) == c.host());
}

TEST_CASE("a device type alone means its plain target [target.configuration.least]") {
    const configuration c = made("cutlass, cuda -arch=sm_80, llvm");
    CHECK(c.least_specialised(device_type::cuda)->kind == "cuda");
    CHECK(c.least_specialised(device_type::cpu)->kind == "llvm");
    CHECK(c.least_specialised(device_type::ext_dev) == nullptr);
}

TEST_CASE("a part means its owner's target, and without an owner the plain one [target.configuration.most]") {
    const configuration c = made("cutlass -threads=4, cuda, llvm");
    CHECK(c.most_specialised("cutlass", device_type::cuda)->options.size() == 1);
    CHECK(c.most_specialised("", device_type::cuda)->kind == "cuda");
    CHECK(c.most_specialised("tensorrt", device_type::cuda)->kind == "cuda");
    CHECK(c.most_specialised("cutlass", device_type::ext_dev) == nullptr);
    CHECK(c.of_kind("cutlass") == c.most_specialised("cutlass", device_type::cuda));
    CHECK(c.of_kind("tensorrt") == nullptr);
}

TEST_CASE("a single target is told [target.configuration.only]") {
    CHECK(made("cuda").only()->kind == "cuda");
    CHECK(made("cutlass").only() == nullptr);
}

TEST_CASE("a configuration made from its own targets is the same one [target.configuration.idempotent]") {
    CHECK(rc::check([] {
        using texts = std::vector<std::string>;
        texts all{"accel -rows=4",
                  "cpu_simd",
                  "cutlass -threads=2",
                  "ext_dev",
                  *rc::gen::element<std::string>("tensorrt", "tensorrt -host='llvm -mcpu=x'", "tensorrt -host=c"),
                  *rc::gen::element<std::string>("cuda -arch=sm_80", "cuda -arch=sm_90 -compiler=cublas"),
                  *rc::gen::element<std::string>("llvm", "c -model=x")};
        for (std::size_t i = all.size(); i > 1; --i) std::swap(all[i - 1], all[*rc::gen::inRange(std::size_t{0}, i)]);
        all.resize(*rc::gen::inRange(std::size_t{1}, all.size() + 1));
        std::string text;
        for (const std::string& t : all) text += (text.empty() ? "" : ", ") + t;
        const auto list = read_target_list(text, sample_schemas());
        RC_ASSERT(list.has_value());
        configuration_options options;
        if (*rc::gen::arbitrary<bool>()) options.default_device = static_cast<device_type>(*rc::gen::inRange(0, 3));
        const auto once = configuration::make(*list, sample_schemas(), options);
        RC_PRE(once.has_value());
        const auto twice = configuration::make(once->targets(), sample_schemas(), options);
        RC_ASSERT(twice.has_value());
        RC_ASSERT(*twice == *once);
        // Every device type in use has its plain target, ahead of what refines it.
        std::size_t plain = 0;
        while (plain < once->targets().size() && once->targets()[plain].is_plain()) ++plain;
        for (std::size_t i = 0; i < once->targets().size(); ++i) {
            RC_ASSERT(once->targets()[i].is_plain() == (i < plain));
            RC_ASSERT(once->least_specialised(once->targets()[i].device) != nullptr);
        }
        RC_ASSERT(once->least_specialised(once->default_device()) != nullptr);
    }));
}
