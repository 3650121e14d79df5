// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ir/write_relay_metadata.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/io/relay/relay_metadata.hpp>
#include <inlay/target/read_target.hpp>

using namespace inlay;

TEST_CASE("places and constants read back as they were, each value written once") {
    const target_schemas known = known_targets<>();
    std::vector<placement> places{placement(), placement::on(device_type::cpu, 3), placement::in_scope("a\x01\xC3\xA4\"b"),
                                  placement::on(device_type::ext_dev)};
    for (const char* text : {"llvm", "cuda -arch=sm_80 -host='llvm -mcpu=x'", "cuda -keys=big,cuda -tag=t", "c -mattr=+a,-b"}) {
        const auto t = read_target(text, known);
        REQUIRE_MESSAGE(t, (t ? std::string() : t.failure().message));
        places.push_back(placement::on(*t, 1, "near"));
    }
    target_instance odd;
    odd.kind = "of nobody";
    odd.keys = {"x"};
    odd.options = {{"a", true}, {"b", 1e-300}, {"c", std::vector<std::int64_t>{1, -2}}, {"d", std::string()}};
    places.push_back(placement::on(odd));
    std::vector<tensor> constants{tensor::scalar(2.0f), tensor::of({2, 2}, std::vector<std::int8_t>{1, 2, 3, 4}),
                                  tensor(element_type::int64, {0})};

    const std::string text = write_relay_metadata(constants, places, known);
    const auto read = read_relay_metadata(text, known);
    REQUIRE_MESSAGE(read, (read ? std::string() : read.failure().message));
    CHECK(read->placements == places);
    REQUIRE(read->constants.size() == constants.size());
    for (std::size_t i = 0; i < constants.size(); ++i) CHECK(read->constants[i].content() == constants[i].content());
    CHECK(read->others.empty());
    CHECK(write_relay_metadata(read->constants, read->placements, known) == text);
    CHECK(text.find("\"repr_str\": \"llvm\"") == text.rfind("\"repr_str\": \"llvm\""));
}

namespace {

/// The attributes of the target in the metadata of a place on it: `arch=sm_80:String thread_warp_size=32:int32`.
std::string attributes_of(const target_instance& t, const target_schemas& known) {
    const std::string text = write_relay_metadata({}, {placement::on(t)}, known);
    std::vector<std::string> lines;
    for (std::size_t at = text.find("\n  "); at != std::string::npos; at = text.find("\n  ", at + 1))
        lines.push_back(text.substr(at + 3, text.find('\n', at + 1) - at - 3));
    const auto field = [](const std::string& line, const std::string& key, const char* end) {
        const std::size_t at = line.find('"' + key + "\": ");
        return at == std::string::npos ? std::string()
                                       : line.substr(at + key.size() + 4, line.find(end, at + key.size() + 4) - at - key.size() - 4);
    };
    const auto bare = [](std::string s) {
        std::erase_if(s, [](char c) { return c == '"' || c == ' ' || c == '[' || c == ']'; });
        return s;
    };
    std::string shown;
    for (const std::string& line : lines) {
        if (line.find("\"Target\"") == std::string::npos) continue;
        // What a target without a host has comes last.
        const std::string map = lines[std::stoul(bare(field(line.substr(line.find("\"attrs\": {") + 9), "attrs", ",")))];
        std::string keys = bare(field(map, "keys", "]")), values = bare(field(map, "data", "]"));
        shown.clear();
        while (!keys.empty()) {
            const std::string key = keys.substr(0, keys.find(','));
            const std::string& value = lines[std::stoul(values.substr(0, values.find(',')))];
            const std::string number = bare(field(value, "value", "}")), word = bare(field(value, "repr_str", "}"));
            shown += (shown.empty() ? "" : " ") + key + "=" + number + word + ":" +
                     bare(field(value, number.empty() ? "type_key" : "dtype", ","));
            keys = keys.find(',') == std::string::npos ? std::string() : keys.substr(keys.find(',') + 1);
            values = values.find(',') == std::string::npos ? std::string() : values.substr(values.find(',') + 1);
        }
    }
    return shown;
}

}  // namespace

TEST_CASE("a target has every attribute that was given or that its kind has by default, by name [target.metadata.attributes]") {
    const target_schemas known = known_targets<>();
    struct row {
        const char *text, *attributes;
    };
    const row rows[] = {
        {"llvm", ""},
        {"c", ""},
        {"ext_dev", ""},
        {"cuda", "arch=sm_50:runtime.String max_num_threads=1024:int32 thread_warp_size=32:int32"},
        {"cuda -arch=sm_50 -max_num_threads=1024", "arch=sm_50:runtime.String max_num_threads=1024:int32 thread_warp_size=32:int32"},
        {"cuda -thread_warp_size=16", "arch=sm_50:runtime.String max_num_threads=1024:int32 thread_warp_size=16:int32"},
        {"cuda -arch=sm_80 -max_threads_per_block=0",
         "arch=sm_80:runtime.String max_num_threads=1024:int32 max_threads_per_block=0:int32 thread_warp_size=32:int32"},
        {"cuda -l2_cache_size_bytes=5000000000",
         "arch=sm_50:runtime.String l2_cache_size_bytes=5000000000:int64 max_num_threads=1024:int32 thread_warp_size=32:int32"},
        {"llvm -opt-level=0 -fast-math=0", "fast-math=0:int32 opt-level=0:int32"},
        {"llvm -fast-math -mcpu=core-avx2", "fast-math=1:int32 mcpu=core-avx2:runtime.String"},
        {"llvm -device=arm_cpu", "device=arm_cpu:runtime.String"},
        {"ext_dev -model=x", "model=x:runtime.String"},
        {"nvptx",
         "max_num_threads=1024:int32 mcpu=sm_50:runtime.String mtriple=nvptx64-nvidia-cuda:runtime.String thread_warp_size=32:int32"},
        {"rocm -thread_warp_size=32",
         "max_num_threads=256:int32 max_shared_memory_per_block=65536:int32 max_threads_per_block=256:int32 mcpu=gfx900:runtime.String "
         "mtriple=amdgcn-amd-amdhsa-hcc:runtime.String thread_warp_size=32:int32"},
        {"opencl",
         "max_function_args=128:int32 max_num_threads=256:int32 max_shared_memory_per_block=16384:int32 max_threads_per_block=256:int32 "
         "texture_spatial_limit=16384:int32 thread_warp_size=1:int32"},
        {"metal",
         "max_function_args=31:int32 max_num_threads=256:int32 max_shared_memory_per_block=32768:int32 max_threads_per_block=256:int32 "
         "thread_warp_size=16:int32"},
        {"vulkan -supports_float16=1",
         "max_num_threads=256:int32 max_threads_per_block=256:int32 supports_float16=1:int32 supports_float32=1:int32 "
         "supports_int32=1:int32 thread_warp_size=1:int32"},
        {"webgpu", "max_num_threads=256:int32"},
        {"hexagon", ""},
        {"hexagon -num-cores=4 -mcpu=hexagonv68", "mcpu=hexagonv68:runtime.String num-cores=4:int32"},
        {"aocl", ""},
        {"stackvm", ""},
    };
    for (const row& r : rows) {
        CAPTURE(r.text);
        const auto t = read_target(r.text, known);
        REQUIRE_MESSAGE(t, (t ? std::string() : t.failure().message));
        CHECK(attributes_of(*t, known) == r.attributes);
        // What was read back is equal, and is written the same.
        const auto read = read_relay_metadata(write_relay_metadata({}, {placement::on(*t)}, known), known);
        REQUIRE_MESSAGE(read, (read ? std::string() : read.failure().message));
        CHECK(read->placements.front().target.front() == *t);
        CHECK(attributes_of(read->placements.front().target.front(), known) == r.attributes);
    }
    // A kind that nobody knows has what was read of it.
    target_instance odd;
    odd.kind = "of nobody";
    odd.options = {{"z", true}, {"a", std::int64_t{0}}};
    CHECK(attributes_of(odd, known) == "a=0:int32 z=1:bool");
    CHECK(attributes_of(with_host(*read_target("cuda", known), *read_target("llvm -opt-level=0", known)), known) ==
          "arch=sm_50:runtime.String max_num_threads=1024:int32 thread_warp_size=32:int32");
}

TEST_CASE("without anything there is a root, and nothing in it") {
    const auto read = read_relay_metadata(write_relay_metadata({}, {}, {}), {});
    REQUIRE(read);
    CHECK(read->placements.empty());
    CHECK(read->constants.empty());
}
