// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/attributes/onnx_operator_attributes.hpp>

#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/ops/onnx/onnx_operator_names.hpp>
#include <inlay/ops/onnx/onnx_ops.hpp>

using namespace inlay;

namespace {

struct schema_row {
    std::string type, otherwise;
    int first = 0;
};
using schema = std::map<std::string, schema_row>;

/// ONNX's own schemas: what each operator's attributes are.
std::map<std::string, schema> schemas() {
    std::ifstream file(INLAY_SOURCE_ROOT "/tests/ops/attributes/onnx_schemas.txt");
    REQUIRE(file.good());
    std::map<std::string, schema> all;
    for (std::string line; std::getline(file, line);) {
        if (line.empty() || line[0] == '#') continue;
        std::istringstream words(line);
        std::string op, attribute;
        words >> op;
        schema& of = all[op];
        if (schema_row row; words >> attribute >> row.type >> row.otherwise >> row.first) of[attribute] = row;
    }
    return all;
}

std::string type_of(attribute_form f) {
    constexpr const char* words[] = {"int", "float", "string", "ints", "floats", "strings", "tensor", "graph"};
    return words[static_cast<std::size_t>(f)];
}

/// What is wrong with one declaration, held against the schema's row.
std::string differences(const declared_attribute& a, const schema_row& row) {
    std::string wrong;
    if (type_of(a.form) != row.type) wrong += " has type " + type_of(a.form) + ", not " + row.type + ";";
    if ((a.need == attribute_need::required) != (row.otherwise == "required")) wrong += " is required in one place only;";
    if (a.since != 0 && a.since != row.first) wrong += " first stood in version " + std::to_string(row.first) + ";";
    if (a.since == 0 && row.first > 23) wrong += " does not say that it came in version " + std::to_string(row.first) + ";";
    if (row.otherwise == "required") return wrong + (a.has_default ? " has a default, and is required;" : "");
    // A list by axis has no default in the schema, whose text says what a missing one means.
    if (row.otherwise == "-") return wrong + (a.has_default && !a.per_axis ? " has a default;" : "");
    bool same = a.has_default;
    if (a.form == attribute_form::integer) same = same && std::to_string(a.integer) == row.otherwise;
    if (a.form == attribute_form::number)
        same = same && static_cast<float>(a.number) == static_cast<float>(std::strtod(row.otherwise.c_str(), nullptr));
    if (a.form == attribute_form::text) same = same && a.text == row.otherwise;
    if (a.form == attribute_form::integers) {
        std::string list;
        for (const std::int64_t v : a.integers) list += (list.empty() ? "" : ",") + std::to_string(v);
        same = same && list == row.otherwise;
    }
    return wrong + (same ? "" : " has another default than " + row.otherwise + ";");
}

}  // namespace

TEST_CASE("each operator declares the attributes of ONNX's own schema, with their types and defaults") {
    const auto all = schemas();
    REQUIRE(all.size() > 180);
    std::size_t operators = 0, attributes = 0;
    for (const auto& [op, of] : all) {
        CAPTURE(op);
        CHECK(is_onnx_operator(op));
        const op_definition* known = onnx_ops::find("onnx." + op);
        if (known == nullptr) continue;
        ++operators;
        for (const declared_attribute& a : known->attributes) {
            ++attributes;
            const std::string name(a.name);
            CAPTURE(name);
            const auto row = of.find(name);
            // What a constant holds that tensors here do not is told by an attribute of our own.
            if (op == "Constant" && name == "holds") continue;
            REQUIRE(row != of.end());
            CHECK(differences(a, row->second) == "");
        }
        for (const auto& [name, row] : of) {
            CAPTURE(name);
            if (row.type != "sparse_tensor") CHECK(find_attribute(known->attributes, name) != nullptr);
        }
        for (std::size_t i = 1; i < known->attributes.size(); ++i) CHECK(known->attributes[i - 1].name < known->attributes[i].name);
    }
    CHECK(operators > 130);
    CHECK(attributes > 140);
}

TEST_CASE("a struct that names operators is the table of each of them") {
    const op_definition *max = onnx_ops::find("onnx.ReduceMax"), *mean = onnx_ops::find("onnx.ReduceMean");
    CHECK(max->attributes.data() == mean->attributes.data());
    CHECK(max->attributes.size() == 2);
    CHECK(find_attribute(max->attributes, "keepdims")->integer == 1);
    CHECK(find_attribute(max->attributes, "axes") == nullptr);
    CHECK(onnx_ops::find("onnx.Relu")->attributes.empty());
}
