// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/target/target_builder.hpp>

#include <doctest/doctest.h>

#include "sample_targets.hpp"

using namespace inlay;

namespace {

target_builder started(std::string_view kind, std::optional<std::string_view> compiler = {}) {
    auto b = target_builder::begin(kind, compiler, sample_schemas());
    REQUIRE(b.has_value());
    return *std::move(b);
}
std::string refusal(std::string_view kind, std::string_view compiler) {
    return target_builder::begin(kind, compiler, sample_schemas()).failure().message;
}

}  // namespace

TEST_CASE("a target is put together from typed values") {
    target_builder b = started("accel");
    CHECK(b.take("rows")->type == option_type::integer);
    CHECK(b.take("level")->range == integer_range{0, 255});
    CHECK(b.take("keys")->type == option_type::texts);
    CHECK(b.take("host")->is_host);
    b.set("rows", std::int64_t{8});
    CHECK(b.set_host(schema_of<llvm_target>().bare()).has_value());
    const auto made = b.finish();
    REQUIRE(made.has_value());
    CHECK(target_text(*made) == "accel -rows=8 -host=llvm");
    CHECK(made->front().device == device_type::ext_dev);
    CHECK(made->front().refines == "ext_dev");
}

TEST_CASE("options of TVM's that mean nothing here say what to do instead [target.common.left-out]") {
    CHECK(started("accel").take("libs").failure().message ==
          "target 'accel' has no option 'libs', since a library is a target of its own here; name it beside this one");
    CHECK(started("cuda").take("from_device").failure().message.find("means the same on every machine") != std::string::npos);
    CHECK(started("cuda").take("target_device_type").failure().message.find("a kind has one device type") != std::string::npos);
}

TEST_CASE("the host of a host is refused [target.host.no-host]") {
    target_builder b = started("accel");
    const auto set = b.set_host(with_host(schema_of<llvm_target>().bare(), schema_of<llvm_target>().bare()));
    REQUIRE_FALSE(set.has_value());
    CHECK(set.failure().message == "the host of target 'accel' has a host itself, which means nothing; leave that one out");
}

TEST_CASE("a plain target with a compiler is of that kind, and refines it [target.compiler.kind]") {
    target_builder b = started("cuda", "cutlass");
    CHECK(b.take("compiler").has_value());
    const auto made = b.finish();
    REQUIRE(made.has_value());
    REQUIRE(made->size() == 1);
    CHECK(made->front() == schema_of<sample_cutlass>().bare());
}

TEST_CASE("options that the compiler's kind lacks go to the plain target, which then stands before it [target.compiler.options]") {
    target_builder b = started("cuda", "cutlass");
    CHECK(b.take("arch").has_value());
    CHECK(b.take("threads").has_value());
    CHECK(b.take("keys").has_value());
    b.set("arch", std::string("sm_80"));
    b.set("threads", std::int64_t{4});
    b.set("keys", std::vector<std::string>{"fast"});
    const auto made = b.finish();
    REQUIRE(made.has_value());
    CHECK(target_text(*made) == "cuda -arch=sm_80, cutlass -threads=4 -keys=fast");
    REQUIRE(made->size() == 2);
    CHECK((*made)[0].origin == target_origin::implied);
    CHECK((*made)[1].origin == target_origin::written);
}

TEST_CASE("what cannot be a compiler is told why [target.compiler.refines]") {
    CHECK(refusal("accel", "cutlass") ==
          "'-compiler' names what refines a plain target, and 'accel' refines 'ext_dev' itself; leave it out");
    CHECK(refusal("cuda", "cutlas") == "'-compiler' of target 'cuda' names no target with 'cutlas' (did you mean 'cutlass'?)");
    CHECK(refusal("cuda", "cpu_simd") ==
          "'-compiler' of target 'cuda' names 'cpu_simd', which does not refine it; name a back end of device type cuda");
    CHECK(refusal("cuda", "cuda").find("does not refine it") != std::string::npos);
    CHECK_FALSE(target_builder::begin("cuad", {}, sample_schemas()).has_value());
}

TEST_CASE("keys are the user's, or the kind's own, with the device among them and each once [target.keys.order]") {
    const auto keys = [](std::vector<std::string> given, const std::string& device) {
        target_builder b = started("cuda");
        b.set("keys", std::move(given));
        b.set("device", device);
        return b.finish()->front().keys;
    };
    using texts = std::vector<std::string>;
    CHECK(keys({}, "").empty());
    CHECK(keys({"cuda", "gpu"}, "").empty());
    CHECK(keys({"gpu", "cuda"}, "") == texts{"gpu", "cuda"});
    CHECK(keys({"a", "b", "a"}, "") == texts{"a", "b"});
    CHECK(keys({"a"}, "mine") == texts{"a", "mine"});
    CHECK(keys({"a", "mine"}, "mine") == texts{"a", "mine"});
    CHECK(keys({}, "mine") == texts{"mine", "cuda", "gpu"});
    CHECK(keys({}, "cuda").empty());
}

TEST_CASE("a kind's own check is asked of both sides") {
    for (const auto compiler : {std::optional<std::string_view>(), std::optional<std::string_view>("cutlass")}) {
        target_builder b = started("cuda", compiler);
        b.set("arch", std::string("80"));
        CHECK(b.finish().failure().message == "option '-arch' of target 'cuda' takes 'sm_' and digits, as 'sm_80', not '80'");
    }
}
