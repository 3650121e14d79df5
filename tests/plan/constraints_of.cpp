// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/plan/constraints_of.hpp>

#include <map>
#include <string>

#include <doctest/doctest.h>

#include "../backend/simulated_device/two_devices.hpp"

using namespace two_devices;

namespace {

const placement there = placement::on(device_type::ext_dev), here = placement::on(device_type::cpu);

/// What rules say, by the names of nodes.
std::map<std::string, placement> said(const placed_question& q) {
    std::map<std::string, placement> by_name;
    for (const placement_rule& rule : q.rules)
        for (const node_id n : rule.nodes) CHECK(by_name.emplace(q.program.name(n), rule.where).second);
    return by_name;
}
placed_question must_read(const ir_module& m) {
    auto q = constraints_of(m);
    REQUIRE_MESSAGE(q.has_value(), q.failure().message);
    for (node_id n = 0; n < q->program.size(); ++n) {
        CHECK(q->program.op(n) != "on_device");
        CHECK(q->program.op(n) != "device_copy");
    }
    return *std::move(q);
}
template <class Make>
ir_module of(Make&& make) {
    ir_builder b;
    const node_id x[] = {b.input("x", row())};
    b.declare(b.function(x, make(b, x[0]), "main"));
    return b.finish_in_blocks();
}
node_id relu(ir_builder& b, node_id x, std::string_view name) { return b.call("onnx.Relu", {x}, {}, row(), name); }

}  // namespace

TEST_CASE("of an annotated program what makes an annotated value is placed, and the rest is free [plan.placement.annotations]") {
    const placed_question q = must_read(
        of([](ir_builder& b, node_id x) { return relu(b, b.on_device(relu(b, relu(b, x, "before"), "inside"), there, false), "behind"); }));
    CHECK(said(q) == std::map<std::string, placement>{{"inside", there}});
}

TEST_CASE("who reads what is on a device for certain is there too, and an annotation that only permits a copy says nothing") {
    CHECK(said(must_read(of([](ir_builder& b, node_id x) { return relu(b, b.on_device(relu(b, x, "inside"), there, true), "behind"); }))) ==
          std::map<std::string, placement>{{"inside", there}, {"behind", there}});
    CHECK(said(must_read(of([](ir_builder& b, node_id x) {
              return relu(b, b.on_device(relu(b, x, "inside"), there, true, false), "behind");
          }))) == std::map<std::string, placement>{{"behind", there}});
    CHECK(said(must_read(of([](ir_builder& b, node_id x) {
              return relu(b, b.on_device(relu(b, x, "inside"), there, false, false), "behind");
          }))).empty());
}

TEST_CASE("a copy says where it comes from and where its readers are") {
    CHECK(said(must_read(of([](ir_builder& b, node_id x) {
              return relu(b, b.device_copy(relu(b, x, "before"), there, here), "behind");
          }))) == std::map<std::string, placement>{{"before", there}, {"behind", here}});
}

TEST_CASE("of a program whose devices are planned each call says for itself where it is") {
    const placed_question q = must_read(of([](ir_builder& b, node_id x) {
        const node_id before = relu(b, x, "before");
        b.set_where(before, here);
        const node_id behind = relu(b, b.device_copy(before, there, there), "behind");
        b.set_where(behind, there);
        return b.device_copy(behind, there, here);
    }));
    CHECK(said(q) == std::map<std::string, placement>{{"before", here}, {"behind", there}});
    CHECK(q.rules.size() == 2);
}

TEST_CASE("an annotation around a tuple, a projection or another annotation says what it does of the values in it") {
    CHECK(said(must_read(of([](ir_builder& b, node_id x) {
              const node_id fields[] = {relu(b, x, "one"), relu(b, x, "two")};
              return b.on_device(b.tuple(fields), there, false);
          }))) == std::map<std::string, placement>{{"one", there}, {"two", there}});
    CHECK(said(must_read(of([](ir_builder& b, node_id x) {
              const node_id halves = b.call("onnx.Split", {x}, {}, node_type::tuple({row(8), row(8)}), "split");
              return b.on_device(b.projection(halves, 1), there, false);
          }))) == std::map<std::string, placement>{{"split", there}});
    CHECK(said(must_read(of([](ir_builder& b, node_id x) {
              return b.on_device(b.on_device(relu(b, x, "inside"), here, false), there, false);
          }))) == std::map<std::string, placement>{{"inside", here}});
}

TEST_CASE("what is said of parameters and constants places nothing") {
    CHECK(must_read(of([](ir_builder& b, node_id x) {
              b.set_where(x, there);
              return relu(b, b.on_device(x, there, false), "behind");
          })).rules.empty());
}

TEST_CASE("a call in two places is an error that names it and both") {
    const auto twice = constraints_of(of([](ir_builder& b, node_id x) {
        const node_id inside = relu(b, x, "inside");
        return b.call("onnx.Add", {b.on_device(inside, there, false), b.on_device(inside, here, false)}, {}, row());
    }));
    REQUIRE_FALSE(twice.has_value());
    CHECK(twice.failure().message ==
          "node 'inside' is to be on ext_dev:0 and on cpu:0, and runs in one place; take one of the annotations away");
}

TEST_CASE("a program without annotations is the same program, and nothing is placed") {
    const ir_module m = random_program(3, 20);
    const placed_question q = must_read(m);
    CHECK(q.rules.empty());
    CHECK(q.program.size() == m.size());
}

TEST_CASE("conversions of formats, which an earlier plan made, are taken out") {
    const placed_question q = must_read(of([](ir_builder& b, node_id x) {
        const attribute_map how{{"from", std::string("float32:plain")}, {"to", std::string("float32:plain@ext_dev")}};
        const node_id turned = b.call(conversion_op, {relu(b, x, "before")}, how, row());
        return relu(b, b.on_device(turned, there, true), "behind");
    }));
    CHECK(said(q) == std::map<std::string, placement>{{"before", there}, {"behind", there}});
    for (node_id n = 0; n < q.program.size(); ++n) CHECK(q.program.op(n) != conversion_op);
}
