// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/io/onnx/onnx_versions.hpp>

#include <cstdint>
#include <string>

#include <doctest/doctest.h>

using namespace inlay;

namespace {

std::string versions(const detail::used_operators& used, const attribute_map& facts = {}) {
    onnx::ModelProto model;
    detail::write_versions(used, facts, model);
    std::string text = std::to_string(model.ir_version());
    for (const auto& import : model.opset_import()) text += " " + import.domain() + ":" + std::to_string(import.version());
    return text;
}

}  // namespace

TEST_CASE("the newest operator that is used decides the version, and that the format's") {
    CHECK(versions({}) == "8 :18");
    CHECK(versions({{"ai.onnx"}, {"Conv", "Relu"}}) == "8 :18");
    CHECK(versions({{"ai.onnx"}, {"Conv", "Gelu"}}) == "9 :20");
    CHECK(versions({{"ai.onnx"}, {"Gelu", "GroupNormalization"}}) == "10 :21");
    CHECK(versions({{}, {"Attention"}}) == "11 :23");
}

TEST_CASE("other domains keep the version that the program came with") {
    const attribute_map facts{{"opset.my.domain", std::int64_t{3}}};
    CHECK(versions({{"ai.onnx", "my.domain", "unknown"}, {}}, facts) == "8 :18 my.domain:3 unknown:1");
}
