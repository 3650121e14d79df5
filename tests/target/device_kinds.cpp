// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/target/device_kinds.hpp>

#include <algorithm>
#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include <inlay/target/read_target.hpp>
#include <inlay/target/target_schema.hpp>

using namespace inlay;

TEST_CASE("the kinds of devices are plain kinds with names of their own, options whose defaults read, model and libs") {
    const target_schemas known = known_targets<>();
    CHECK(known.all().size() == 4 + device_kinds.size());
    for (const device_kind& k : device_kinds) {
        CAPTURE(k.kind);
        const target_schema* schema = known.find(k.kind);
        REQUIRE(schema != nullptr);
        CHECK(schema->is_plain());
        CHECK(schema->device == k.device);
        CHECK(schema->keys.size() == k.keys.size());
        REQUIRE(schema->options.size() == k.options.size() + 2);
        for (const device_option& o : k.options) {
            const option_schema* option = schema->find(o.name);
            REQUIRE(option != nullptr);
            CHECK(option->type() == o.type);
            if (!o.otherwise.empty()) CHECK(scalar_text(option->otherwise) == o.otherwise);
            CHECK_FALSE(option->doc.empty());
        }
        const auto read = read_target(std::string(k.kind) + " -model=x -libs=a,b", known);
        REQUIRE_MESSAGE(read, (read ? std::string() : read.failure().message));
        CHECK(target_text(*read) == std::string(k.kind) + " -model=x -libs=a,b");
    }
}

TEST_CASE("an option that TVM fills in or checks takes what TVM takes [target.plain.device-options]") {
    const target_schemas known = known_targets<>();
    const auto refusal = [&](const char* text) {
        const auto read = read_target(text, known);
        if (read) return target_text(*read);
        const std::string& message = read.failure().message;
        return message.substr(std::min(message.find("option "), message.size()));
    };
    CHECK(refusal("rocm -mcpu=gfx906 -mtriple=amdgcn-amd-amdhsa-hcc") == "rocm -mcpu=gfx906");
    CHECK(refusal("rocm -mcpu=gfx900") == "rocm");
    CHECK(refusal("rocm -mcpu=sm_80") == "option '-mcpu' of target 'rocm' takes 'gfx' and digits, as 'gfx900', not 'sm_80'");
    CHECK(refusal("nvptx -mcpu=sm_") == "option '-mcpu' of target 'nvptx' takes 'sm_' and digits, as 'sm_50', not 'sm_'");
    CHECK(refusal("nvptx -mtriple=x") == "option '-mtriple' of target 'nvptx' takes 'nvptx64-nvidia-cuda', not 'x'");
    CHECK(refusal("vulkan -max_num_threads=256 -supports_float32=1 -supports_float16=1") == "vulkan -supports_float16=true");
}
