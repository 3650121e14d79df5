// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/io/relay/relay_metadata.hpp>

#include <string>

#include <doctest/doctest.h>

#include <inlay/target/target_schema.hpp>

TEST_CASE("metadata that points nowhere, or at itself, is refused") {
    const auto known = inlay::known_targets<>();
    const auto read = [&](const std::string& nodes, const char* root) {
        return inlay::read_relay_metadata(
                   "{\"root\": " + std::string(root) + ", \"nodes\": [" + nodes + "], \"b64ndarrays\": [], \"attrs\": {}}", known)
            .has_value();
    };
    const std::string map =
        R"({"type_key": ""}, {"type_key": "Map", "keys": ["VirtualDevice"], "data": [2]}, {"type_key": "Array", "data": [)";
    const std::string device =
        R"(]}, {"type_key": "VirtualDevice", "attrs": {"device_type_int": "1", "memory_scope": "4", "target": "0", "virtual_device_id": "0"}}, {"type_key": "runtime.String"})";
    CHECK(read(map + "3" + device, "1"));
    CHECK_FALSE(read(map + "9" + device, "1"));
    CHECK_FALSE(read(map + "2" + device, "1"));
    CHECK_FALSE(read(map + "3" + device, "17"));
    CHECK_FALSE(inlay::read_relay_metadata("{", known));
}
