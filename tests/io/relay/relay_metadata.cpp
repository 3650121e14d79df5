// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/io/relay/relay_metadata.hpp>

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/target/read_target.hpp>

using namespace inlay;

namespace {

/// Metadata with these nodes behind the null at 0 and the root at 1, which has a list of one kind at 2.
std::string with(const std::string& key, const std::string& nodes, const std::string& arrays = "") {
    return R"({"root": 1, "nodes": [{"type_key": ""}, {"type_key": "Map", "keys": [")" + key + R"("], "data": [2]}, )" + nodes +
           R"(], "b64ndarrays": [)" + arrays + "]}";
}
outcome<relay_metadata> reading(const std::string& text) { return read_relay_metadata(text, known_targets<>()); }
std::string fault_of(const std::string& text) {
    const auto read = reading(text);
    return read ? "" : read.failure().message;
}

/// A place with a target of that kind, with these nodes for its attributes from 10 on.
std::string place_with(const std::string& kind, const std::string& attributes, const std::string& more = {},
                       const std::string& host = "0") {
    return with("VirtualDevice",
                R"({"type_key": "Array", "data": [3]},
         {"type_key": "VirtualDevice", "attrs": {"device_type_int": "-1", "memory_scope": "0", "target": "4", "virtual_device_id": "1"}},
         {"type_key": "Target", "attrs": {"attrs": "9", "features": "0", "host": ")" +
                    host + R"(", "keys": "6", "kind": "5", "tag": "0"}},
         {"type_key": "TargetKind", "attrs": {"default_device_type": "2", "default_keys": "6", "name": "8"}},
         {"type_key": "Array", "data": [7]}, {"type_key": "runtime.String", "repr_str": "cuda"},
         {"type_key": "runtime.String", "repr_str": ")" +
                    kind + R"("}, {"type_key": "Map", )" + attributes + "}" + more);
}

}  // namespace

TEST_CASE("a target of a kind that is known is what its text reads as") {
    const auto read = reading(place_with("cuda", R"("keys": ["arch", "max_num_threads", "thread_warp_size"], "data": [10, 11, 12])",
                                         R"(, {"type_key": "runtime.String", "repr_str": "sm_80"},
         {"type_key": "IntImm", "attrs": {"dtype": "int32", "span": "0", "value": "1024"}},
         {"type_key": "IntImm", "attrs": {"dtype": "int32", "span": "0", "value": "16"}})"));
    REQUIRE_MESSAGE(read, (read ? std::string() : read.failure().message));
    const placement& p = read->placements.front();
    CHECK(p.device == device_type::cuda);
    CHECK(p.id == 1);
    const target_schemas known = known_targets<>();
    const auto wanted = read_target("cuda -keys=cuda -arch=sm_80 -max_num_threads=1024 -thread_warp_size=16", known);
    REQUIRE_MESSAGE(wanted, (wanted ? std::string() : wanted.failure().message));
    CHECK(p.target.front() == *wanted);
}

TEST_CASE("a target of a kind that nobody knows keeps its options by name, and its keys where they are not the kind's") {
    const auto read = reading(place_with("of nobody", R"("data": [7, 10, 8, 11, 12, 13])",
                                         R"(, {"type_key": "IntImm", "attrs": {"dtype": "bool", "span": "0", "value": "1"}},
         {"type_key": "Array", "data": [7, 8]}, {"type_key": "runtime.String", "repr_str": "a"},
         {"type_key": "Array"})"));
    REQUIRE_MESSAGE(read, (read ? std::string() : read.failure().message));
    const target_instance& t = read->placements.front().target.front();
    CHECK(t.kind == "of nobody");
    CHECK(t.device == device_type::cuda);
    CHECK(t.keys.empty());
    CHECK(t.options == std::vector<set_target_option>{{"a", std::vector<std::string>()},
                                                      {"cuda", true},
                                                      {"of nobody", std::vector<std::string>{"cuda", "of nobody"}}});
}

TEST_CASE("values of other kinds are kept where they can be attributes") {
    const auto read = reading(with("Any", R"({"type_key": "Array", "data": [3, 4, 5, 6, 7, 0]},
        {"type_key": "IntImm", "attrs": {"dtype": "int64", "span": "0", "value": "-3"}},
        {"type_key": "FloatImm", "attrs": {"dtype": "float64", "span": "0", "value": "0.5"}},
        {"type_key": "Array", "data": [3, 3]}, {"type_key": "Array", "data": [3, 4]}, {"type_key": "relay.attrs.Conv2DAttrs"})"));
    REQUIRE_MESSAGE(read, (read ? std::string() : read.failure().message));
    REQUIRE(read->others.size() == 1);
    const auto& values = read->others[0].values;
    CHECK(std::get<std::int64_t>(*values[0]) == -3);
    CHECK(std::get<double>(*values[1]) == 0.5);
    CHECK(std::get<std::vector<std::int64_t>>(*values[2]) == std::vector<std::int64_t>{-3, -3});
    CHECK(values[3].failure().message == "is a list of values of several types, which is not read here");
    CHECK(values[4].failure().message == "is of type_key 'relay.attrs.Conv2DAttrs', which is not read here");
    CHECK_FALSE(values[5]);
}

TEST_CASE("texts may be coded, and scopes have them") {
    const auto scope = [](const std::string& text) {
        return reading(with("VirtualDevice", R"({"type_key": "Array", "data": [3]},
         {"type_key": "VirtualDevice", "attrs": {"device_type_int": "-1", "memory_scope": "4", "target": "0", "virtual_device_id": "-1"}},
         {"type_key": "runtime.String")" + text + "}"));
    };
    CHECK(scope(R"(, "repr_str": "near")")->placements[0] == placement::in_scope("near"));
    CHECK(scope(R"(, "repr_b64": "AwAAAAAAAABhCmI=")")->placements[0] == placement::in_scope("a\nb"));
    CHECK(scope("")->placements[0].is_free());
    for (const char* wrong :
         {R"(, "repr_b64": "BAAAAAAAAABhCmI=")", R"(, "repr_b64": "AwA=")", R"(, "repr_b64": "!")", R"(, "repr_str": 1)"})
        CHECK(scope(wrong).failure().message == "the metadata's nodes[4] is a text that cannot be read");
}

TEST_CASE("every index, count and type of node is checked") {
    CHECK(fault_of("{").starts_with("the metadata is no JSON"));
    CHECK(fault_of("[]") == "the metadata's key 'nodes' must be a list");
    CHECK(fault_of(R"({"nodes": []})") == "the metadata's key 'root' is not there");
    CHECK(fault_of(R"({"nodes": [{}], "root": 1})") == "the metadata's root is no number of a node");
    CHECK(fault_of(R"({"nodes": [{}, {"type_key": "Array"}], "root": 1})") ==
          "the metadata's nodes[1] must be a Map, since it is the root");
    CHECK(fault_of(R"({"nodes": [{}], "root": 0})").empty());
    CHECK(fault_of(with("VirtualDevice", R"({"type_key": "Map"})")) ==
          "the metadata's nodes[2] must be of type_key 'Array', and is of 'Map'");
    CHECK(fault_of(with("VirtualDevice", R"({"type_key": "Array", "data": [3]})")) ==
          "the metadata's nodes[2] has in its data what is no number of a node; there are 3");
    CHECK(fault_of(with("VirtualDevice", R"({"type_key": "Array", "data": [2]})")) ==
          "the metadata's nodes[2] must be of type_key 'VirtualDevice', and is of 'Array'");
    CHECK(fault_of(with("VirtualDevice", R"({"type_key": "Array", "data": -1})")) == "the metadata's nodes[2] must have a list as data");
    const auto place = [](const std::string& device, const std::string& id, const std::string& t) {
        return fault_of(
            with("VirtualDevice", R"({"type_key": "Array", "data": [3]}, {"type_key": "VirtualDevice", "attrs": {"device_type_int": )" +
                                      device + R"(, "memory_scope": "0", "target": )" + t + R"(, "virtual_device_id": )" + id + "}}"));
    };
    CHECK(place("\"1\"", "\"0\"", "\"0\"").empty());
    CHECK(place("\"9\"", "\"0\"", "\"0\"") ==
          "the metadata's nodes[3] names the device type 9, which is not known here; 1 is cpu, 2 is cuda, 12 is ext_dev, 4 is opencl, 7 is "
          "vulkan, 8 is metal, 10 is rocm, 15 is webgpu, 16 is hexagon, 32 is aocl");
    CHECK(place("\"7\"", "\"0\"", "\"0\"").empty());
    CHECK(place("\"x\"", "\"0\"", "\"0\"") == "the metadata's nodes[3] must have a whole number as attrs.device_type_int");
    CHECK(place("\"1\"", "\"-2\"", "\"0\"") == "the metadata's nodes[3] must have a number of a device as attrs.virtual_device_id");
    CHECK(place("\"1\"", "\"0\"", "\"99\"") == "the metadata's nodes[3] has attrs.target, which is no number of a node; there are 4");
    CHECK(place("\"1\"", "\"0\"", "\"3\"") == "the metadata's nodes[3] must be of type_key 'Target', and is of 'VirtualDevice'");
    CHECK(fault_of(with("a", R"({"type_key": "Map", "keys": ["b"], "data": [0, 0]})")) ==
          "the metadata's nodes[2] must be of type_key 'Array', and is of 'Map'");
    CHECK(fault_of(R"({"root": 1, "nodes": [{}, {"type_key": "Map", "keys": ["b"], "data": [0, 0]}]})") ==
          "the metadata's nodes[1] must have as many keys as data");
}

TEST_CASE("hosts that are hosts of themselves are refused") {
    CHECK(fault_of(place_with("cuda", R"("data": [])", {}, "4")) ==
          "the metadata's nodes[4] is the host of itself, or hosts stand in each other more than 8 deep");
}

TEST_CASE("constants are tensors in base64") {
    const auto constant = [](const std::string& at, const std::string& arrays) {
        return with("relay.Constant",
                    R"({"type_key": "Array", "data": [3]}, {"type_key": "relay.Constant", "attrs": {"_checked_type_": "0", "data": ")" +
                        at + R"(", "span": "0", "virtual_device_": "0"}})",
                    arrays);
    };
    const std::string two = "\"P6G0lvBAXt0AAAAAAAAAAAEAAAAAAAAAAAAAAAIgAQAEAAAAAAAAAAAAAEA=\"";
    const auto read = reading(constant("0", two));
    REQUIRE_MESSAGE(read, (read ? std::string() : read.failure().message));
    CHECK(read->constants[0].rank() == 0);
    CHECK(read->constants[0].as<float>()[0] == 2);
    CHECK(fault_of(constant("1", two)) == "the metadata's nodes[3] has attrs.data 1, and there are 1 tensors in b64ndarrays");
    CHECK(fault_of(constant("-1", two)).find("has attrs.data -1") != std::string::npos);
    CHECK(fault_of(constant("0", "\"x\"")) == "the metadata's b64ndarrays[0] is no base64");
    CHECK(fault_of(constant("0", "1")) == "the metadata's b64ndarrays[0] is no base64");
    CHECK(fault_of(constant("0", "\"AAAA\"")) == "the metadata's b64ndarrays[0] does not begin as a tensor does");
}
