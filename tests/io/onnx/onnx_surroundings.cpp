// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/io/onnx/onnx_surroundings.hpp>

#include <string>

#include <doctest/doctest.h>

#include "io/model_text.hpp"

using namespace inlay;
using namespace inlay_test;
using detail::onnx_label;
using detail::onnx_surroundings;

TEST_CASE("a node's own name serves where it is unique, inner graphs counted, else its first output's") {
    const onnx::ModelProto model = model_of(model_text(
        13, node("Relu", "x", "a", "name: 'twice'") + node("Relu", "a", "b", "name: 'once'") +
                node("If", "c", "y",
                     "attribute { name: 'then_branch' type: GRAPH g { name: 't' " + node("Relu", "x", "r", "name: 'twice'") + "} }")));
    onnx_surroundings all;
    all.prefix = "f/";
    all.count_names(model.graph().node());
    CHECK(all.name_of(model.graph().node(0)) == "f/a");
    CHECK(all.name_of(model.graph().node(1)) == "f/once");
    CHECK(all.name_of(model.graph().node(2)) == "f/y");
    CHECK(onnx_label(model.graph().node(1)) == "node 'once' (Relu)");
    CHECK(onnx_label(model.graph().node(2)) == "node 'y' (If)");
}

TEST_CASE("versions start at 1 and are stated once, by either name of the default domain") {
    const auto said = [](const std::string& imports) {
        const onnx::ModelProto model = model_of(imports);
        onnx_surroundings all;
        const auto read = all.read_opsets(model.opset_import(), "the model");
        return read ? std::to_string(all.opsets.at("")) : read.failure().message;
    };
    CHECK(said("opset_import { version: 13 } opset_import { domain: 'my' version: 2 }") == "13");
    CHECK(said("opset_import { domain: 'ai.onnx' version: 9 }") == "9");
    CHECK(said("opset_import { version: 0 }").find("versions start at 1") != std::string::npos);
    CHECK(said("opset_import { version: 13 } opset_import { domain: 'ai.onnx' version: 13 }").find("twice") != std::string::npos);
}

TEST_CASE("an attribute that refers to the function's caller is what the caller gives") {
    onnx::AttributeProto given, own, refers;
    given.set_name("alpha");
    own.set_name("beta");
    refers.set_name("beta");
    refers.set_ref_attr_name("alpha");
    onnx_surroundings all;
    CHECK(all.resolved(own) == &own);
    CHECK(all.resolved(refers) == nullptr);
    all.attributes.emplace("alpha", &given);
    CHECK(all.resolved(refers) == &given);
}
