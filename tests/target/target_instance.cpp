// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/target/target_instance.hpp>

#include <doctest/doctest.h>

using namespace inlay;

namespace {

target_instance cuda() {
    target_instance t;
    t.kind = "cuda";
    t.device = device_type::cuda;
    t.options = {{"arch", std::string("sm_80")}};
    return t;
}
target_instance llvm() {
    target_instance t;
    t.kind = "llvm";
    return t;
}

}  // namespace

TEST_CASE("targets are equal in structure, wherever they came from [target.instance.equality]") {
    target_instance t = cuda();
    t.origin = target_origin::supplied;
    CHECK(t == cuda());
    target_instance others[] = {cuda(), cuda(), cuda(), cuda(), cuda(), cuda(), with_host(cuda(), llvm())};
    others[0].kind = "nvptx";
    others[1].device = device_type::cpu;
    others[2].refines = "llvm";
    others[3].options.front().value = std::string("sm_90");
    others[4].keys = {"gpu", "cuda"};
    others[5].tag = "nvidia/a100";
    for (const target_instance& o : others) CHECK(o != cuda());
    target_instance swapped = others[4];
    swapped.keys = {"cuda", "gpu"};
    CHECK(swapped != others[4]);
}

TEST_CASE("what was given and makes no difference is noted by name, once, and is no difference") {
    target_instance t = cuda();
    t.note("thread_warp_size", std::int64_t{32});
    t.note("device", std::string("gpu"));
    t.note("thread_warp_size", std::int64_t{32});
    REQUIRE(t.given.size() == 2);
    CHECK(t.given[0].name == "device");
    CHECK(t.given[1].name == "thread_warp_size");
    CHECK(t == cuda());
    CHECK(target_text(t) == target_text(cuda()));
    t.forget("device");
    CHECK(t.given.size() == 1);
}

TEST_CASE("options are found by name") {
    const target_instance t = cuda();
    REQUIRE(t.find("arch") != nullptr);
    CHECK(std::get<std::string>(*t.find("arch")) == "sm_80");
    CHECK(t.find("model") == nullptr);
    CHECK(t.is_plain());
}

TEST_CASE("a host is put in and taken out, and has none itself") {
    target_instance host = with_host(llvm(), llvm());
    const target_instance t = with_host(cuda(), host);
    REQUIRE(t.host.size() == 1);
    CHECK(t.host.front() == llvm());
    CHECK(with_host(t, host) == t);
    CHECK(without_host(t) == cuda());
    CHECK(without_host(cuda()) == cuda());
}

TEST_CASE("a target prints its options, keys, tag and host, with quotes where they are needed [target.text.print]") {
    CHECK(target_text(llvm()) == "llvm");
    target_instance t = with_host(cuda(), llvm());
    t.keys = {"cuda", "big"};
    t.tag = "nvidia/a100";
    CHECK(target_text(t) == "cuda -arch=sm_80 -keys=cuda,big -tag=nvidia/a100 -host=llvm");
    t.host.front().options = {{"mcpu", std::string("a b")}};
    CHECK(target_text(without_host(t)) + " -host='llvm -mcpu=\\'a b\\''" == target_text(t));
    CHECK(target_text({llvm(), cuda()}) == "llvm, cuda -arch=sm_80");
    CHECK(target_text(std::vector<target_instance>{}).empty());
}
