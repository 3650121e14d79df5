// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/passes/inline_parts.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "../candidate/toy_backends.hpp"

#include <inlay/ir/relay_text.hpp>
#include <inlay/passes/clean.hpp>
#include <inlay/pipeline.hpp>

using namespace inlay;

namespace {

struct flat_meter {
    [[nodiscard]] std::vector<measurement> price(std::span<const pricing_job> jobs) const {
        const double sample[] = {0.05};
        return std::vector<measurement>(jobs.size(), measurement::of(sample));
    }
};
struct no_bound {
    double operator()(const region_view&) const { return 0; }
    double operator()(const tensor_type&, const format&, const format&) const { return 0; }
};

const tensor_type pair(element_type::float32, {2});

attribute_map owned_by(const char* owner) { return {{"Compiler", std::string(owner)}}; }

/// A function of one tensor in the open module: `body(its parameter)` is what it gives.
template <class Body>
node_id function_of(ir_builder& b, const char* name, const attribute_map& attributes, Body&& body) {
    b.open_block();
    const node_id parameters[] = {b.input("p", pair)};
    return b.function(parameters, body(parameters[0]), name, attributes);
}
template <class Body>
void declare_main(ir_builder& b, Body&& body) {
    b.declare(function_of(b, "main", {}, body));
}
node_id apply(ir_builder& b, node_id f, std::initializer_list<node_id> arguments) {
    std::vector<node_id> all{f};
    all.insert(all.end(), arguments.begin(), arguments.end());
    return b.apply(all);
}
node_id unary(ir_builder& b, const char* op, node_id x) { return b.call(op, {x}, {}, pair); }

std::string why_not(const ir_module& m) {
    const auto made = inline_parts(m);
    REQUIRE_FALSE(made.has_value());
    return made.failure().message;
}

/// A program's calls from its result on, each where it is first read: the same whatever the order in which they stand.
std::string from_the_result(const ir_module& m) {
    std::string text;
    std::map<node_id, std::size_t> seen;
    const auto visit = [&](const auto& self, node_id n) -> void {
        const auto [at, is_new] = seen.try_emplace(n, seen.size());
        text += std::to_string(at->second);
        if (!is_new) return;
        text += m.kind(n) == node_kind::input ? "=" + std::string(m.name(n)) : "=" + std::string(m.op(n)) + "(";
        for (const node_id o : m.kind(n) == node_kind::input ? std::span<const node_id>() : m.operands(n)) {
            self(self, o);
            text += " ";
        }
        text += ")";
    };
    visit(visit, m.result(m.main()));
    return text;
}

std::vector<std::string> operators(const ir_module& m, const std::vector<node_id>& nodes) {
    std::vector<std::string> ops;
    for (const node_id n : nodes) ops.emplace_back(m.kind(n) == node_kind::call ? m.op(n) : "projection");
    return ops;
}

}  // namespace

TEST_CASE("inlining the parts of an outlined program gives the program that was cut, and the parts [partition.existing.inlined]") {
    CHECK(rc::check("outline, inline", [] {
        const auto seed = *rc::gen::inRange<std::uint32_t>(0, 1u << 30);
        const ir_module m = toys::random_program(seed, 2 + seed % 12);
        const toys::list backends;
        flat_meter meter;
        const auto planned = make_plan(m, backends, meter, no_bound());
        RC_ASSERT(planned.has_value());
        const auto outlined = outline(m, planned->set, planned->cut, [&](backend_id b) { return backends.kind(b); });
        RC_ASSERT(outlined.has_value());
        const auto back = inline_parts(*outlined);
        RC_ASSERT(back.has_value());
        RC_ASSERT(back->program.functions().size() == 1u);
        RC_ASSERT(from_the_result(back->program) == from_the_result(m));
        RC_ASSERT(back->parts.size() == planned->cut.parts.size());
        for (std::size_t p = 0; p < back->parts.size(); ++p) {
            RC_ASSERT(back->parts[p].owner == backends.kind(planned->cut.parts[p].owner));
            auto now = operators(back->program, back->parts[p].nodes), then = operators(m, planned->cut.parts[p].nodes);
            std::sort(now.begin(), now.end());
            std::sort(then.begin(), then.end());
            RC_ASSERT(now == then);
        }
        // There is nothing left to be inlined.
        const auto again = inline_parts(back->program);
        RC_ASSERT(again.has_value());
        RC_ASSERT(again->parts.empty());
        RC_ASSERT(relay_text(again->program) == relay_text(back->program));
    }));
}

TEST_CASE(
    "parts are functions of the module or literals in the place of a call, and composites within are theirs [partition.existing.forms]") {
    ir_builder b;
    const node_id lib = function_of(b, "lib", owned_by("lib"), [&](node_id p) {
        const node_id composite =
            function_of(b, "", {{"Composite", std::string("lib.relu")}}, [&](node_id c) { return unary(b, "onnx.Relu", c); });
        return unary(b, "onnx.Tanh", apply(b, composite, {p}));
    });
    b.declare(lib);
    const node_type lib_type = b.so_far().type(lib);
    const node_id plain = function_of(b, "plain", {}, [&](node_id p) { return unary(b, "onnx.Exp", p); });
    b.declare(plain);
    declare_main(b, [&](node_id x) {
        const node_id first = apply(b, b.global("lib", lib_type), {x});
        const node_id two = function_of(b, "", {{"Compiler", std::string("other")}, {"Primitive", std::int64_t{1}}}, [&](node_id q) {
            const node_id fields[] = {unary(b, "onnx.Sin", q), q};
            return b.tuple(fields);
        });
        const node_id both = apply(b, two, {first});
        const node_id fused = function_of(b, "", {{"Primitive", std::int64_t{1}}}, [&](node_id r) { return unary(b, "onnx.Cos", r); });
        const node_id sum = b.call("onnx.Add", {apply(b, fused, {b.projection(both, 0)}), b.projection(both, 1)}, {}, pair);
        return apply(b, b.global("lib", lib_type), {sum});
    });
    const auto made = inline_parts(b.finish());
    REQUIRE_MESSAGE(made.has_value(), made.failure().message);
    REQUIRE(made->parts.size() == 3);
    CHECK(made->parts[0].name == "lib");
    CHECK(made->parts[0].owner == "lib");
    CHECK(operators(made->program, made->parts[0].nodes) == std::vector<std::string>{"onnx.Relu", "onnx.Tanh"});
    CHECK(made->parts[1].owner == "other");
    CHECK(made->parts[1].name.empty());
    CHECK(operators(made->program, made->parts[1].nodes) == std::vector<std::string>{"onnx.Sin"});
    CHECK(operators(made->program, made->parts[2].nodes) == operators(made->program, made->parts[0].nodes));
    CHECK(made->parts[2].nodes != made->parts[0].nodes);
    // What is marked is gone; the plain function stays.
    CHECK(made->program.functions().size() == 2);
    const std::string text = relay_text(clean(made->program));
    for (const char* op : {"onnx.Relu", "onnx.Tanh", "onnx.Sin", "onnx.Cos", "onnx.Add", "onnx.Exp"})
        CHECK(text.find(op) != std::string::npos);
    for (const char* word : {"Compiler", "Composite", "Primitive", "@lib"}) CHECK(text.find(word) == std::string::npos);
}

TEST_CASE("a part that cannot be inlined is named, with what is wrong [partition.existing.wrong]") {
    const auto with_part = [](const attribute_map& attributes, auto&& body, std::size_t arguments) {
        ir_builder b;
        const node_id part = function_of(b, "p", attributes, [&](node_id p) { return body(b, p); });
        b.declare(part);
        const node_type type = b.so_far().type(part);
        declare_main(b, [&](node_id x) {
            std::vector<node_id> all{b.global("p", type)};
            all.resize(arguments + 1, x);
            return b.apply(all, pair);
        });
        return b.finish();
    };
    const auto relu = [](ir_builder& b, node_id p) { return unary(b, "onnx.Relu", p); };
    CHECK(inline_parts(with_part(owned_by("lib"), relu, 1)).has_value());
    CHECK(why_not(with_part(
              owned_by("lib"), [](ir_builder& b, node_id p) { return apply(b, b.global("p", {}), {p}); }, 1)) ==
          "the part 'p' calls itself, which no part can; write it as a function without 'Compiler'");
    CHECK(why_not(with_part({{"Compiler", std::int64_t{3}}}, relu, 1)) ==
          "the part 'p' has an attribute 'Compiler' that is no text; write the kind of a back end");
    CHECK(why_not(with_part(owned_by("lib"), relu, 2)).find("calls the part 'p' with 2 arguments, and it takes 1") != std::string::npos);
    const auto branch = [](ir_builder& b, node_id p) {
        b.open_block();
        const node_id then_result = unary(b, "onnx.Relu", p);
        b.close_block();
        b.open_block();
        const node_id else_result = unary(b, "onnx.Tanh", p);
        b.close_block();
        return b.if_else(p, then_result, else_result);
    };
    CHECK(why_not(with_part(owned_by("lib"), branch, 1)).find("in the part 'p' is control flow") != std::string::npos);
}
