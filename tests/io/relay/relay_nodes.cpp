// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/io/relay/relay_nodes.hpp>

#include <string>

#include <doctest/doctest.h>

using namespace inlay;

namespace {

relay_metadata sample() {
    relay_metadata m;
    m.constants.push_back(tensor::scalar(7.0f));
    m.placements = {placement::on(device_type::cuda), placement::in_scope("near")};
    return m;
}

struct maker {
    relay_metadata metadata = sample();
    relay_faults faults{{}};
    relay_cursor c{{}, faults};
    relay_nodes nodes{&metadata};
    const source_position at{1, 1};

    /// The program whose main function has this result.
    ir_module finish(node_id result) {
        relay_head h;
        h.name = "main";
        h.at = at;
        nodes.function(h, result);
        return nodes.finish(faults, {});
    }
};

}  // namespace

TEST_CASE("calls of references and of places have kinds and columns of their own") {
    maker m;
    const node_id one = m.nodes.constant(tensor::scalar(1), m.at);
    const node_id made = m.nodes.call(m.c, "ref", std::span(&one, 1), {}, m.at);
    relay_attributes there;
    there.place = 0;
    there.values.set("constrain_result", std::int64_t{1});
    there.values.set("constrain_body", std::int64_t{1});
    const node_id annotated = m.nodes.call(m.c, "on_device", std::span(&made, 1), there, m.at);
    relay_attributes copied;
    copied.from = 0;
    copied.to = 1;
    const node_id copy = m.nodes.call(m.c, "device_copy", std::span(&annotated, 1), copied, m.at);
    const ir_module program = m.finish(copy);
    CHECK(m.faults.empty());
    const node_id result = program.result(program.main());
    CHECK(program.copied_from(result) == m.metadata.placements[0]);
    CHECK(program.where(result) == m.metadata.placements[1]);
    const node_id on = program.operand(result, 0);
    CHECK(program.where(on) == m.metadata.placements[0]);
    CHECK(program.attributes(on) == attribute_map{{"constrain_result", std::int64_t{1}}});
    CHECK(program.kind(program.operand(on, 0)) == node_kind::make_ref);
    CHECK(program.position(on) == m.at);
}

TEST_CASE("a wrong number of values is told, and something stands there all the same") {
    maker m;
    CHECK(m.nodes.call(m.c, "ref_write", {}, {}, m.at) == m.nodes.missing());
    REQUIRE(m.faults.all().size() == 1);
    CHECK(m.faults.all()[0].message == "ref_write takes two values, and is given 0");
}

TEST_CASE("constants of the metadata and globals of a definition are one node each") {
    maker m;
    CHECK(m.nodes.constant(0, m.at) == m.nodes.constant(0, m.at));
    const node_id g = m.nodes.global("main", m.at);
    CHECK(m.nodes.global("main", m.at) == g);
    const ir_module program = m.finish(g);
    CHECK(program.type(program.result(program.main())).is_function());
}

TEST_CASE("attributes keep places apart from values, and what is nothing is left out") {
    relay_attributes a;
    relay_attribute value, place, nothing;
    value.what = relay_attribute::form::value;
    value.value = std::int64_t{3};
    place.what = relay_attribute::form::place;
    place.place = 1;
    CHECK(a.set("axis", value));
    CHECK(a.set("axes", nothing));
    CHECK(a.set("dst_virtual_device", place));
    CHECK_FALSE(a.set("axis", place));
    CHECK(a.values == attribute_map{{"axis", std::int64_t{3}}});
    CHECK(a.to == 1);
    CHECK(a.from == relay_attributes::no_place);
}

TEST_CASE("a function without a body has a variable that stands for its buffer, in the same place") {
    maker m;
    relay_head h;
    h.name = "lowered";
    h.at = m.at;
    h.result = tensor_type(element_type::int64, {});
    h.attributes.place = 1;
    m.nodes.function(h, no_node);
    const ir_module program = m.finish(m.nodes.tuple({}, m.at));
    const node_id lowered = program.functions().front();
    CHECK(program.attributes(lowered).integer("extern", 0) == 1);
    CHECK(program.kind(program.result(lowered)) == node_kind::input);
    CHECK(program.where(program.result(lowered)) == program.where(lowered));
    CHECK(program.type(lowered) == node_type::function({}, h.result));
}
