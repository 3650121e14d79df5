// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/io/relay/write_relay_metadata.hpp>

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

TEST_CASE("without anything there is a root, and nothing in it") {
    const auto read = read_relay_metadata(write_relay_metadata({}, {}, {}), {});
    REQUIRE(read);
    CHECK(read->placements.empty());
    CHECK(read->constants.empty());
}
