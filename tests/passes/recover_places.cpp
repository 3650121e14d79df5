// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/passes/recover_places.hpp>

#include <optional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/ir/ir_builder.hpp>

using namespace inlay;

namespace {

const tensor_type row(element_type::float32, {4});
const placement cpu = placement::on(device_type::cpu), cuda = placement::on(device_type::cuda);

using nodes = std::vector<node_id>;

/// A program of one function, of as many variables as it has places, and where its nodes are.
struct program {
    ir_module m;
    program_places places;

    template <class Body>
    program(const std::vector<placement>& of_parameters, const placement& of_result, Body body)
        : m(make(of_parameters, of_result, body)), places(recover_places(m)) {}

    template <class Body>
    static ir_module make(const std::vector<placement>& of_parameters, const placement& of_result, Body body) {
        ir_builder b;
        nodes x;
        for (const placement& p : of_parameters) {
            x.push_back(b.input("x" + std::to_string(x.size()), row));
            b.set_where(x.back(), p);
        }
        const node_id f = b.function(x, body(b, x), "main");
        b.set_where(f, of_result);
        b.declare(f);
        return b.finish_in_blocks();
    }
    /// Where the node of that name is, or the first call of that operator.
    [[nodiscard]] std::string at(const char* name) const {
        for (node_id n = 0; n < m.size(); ++n)
            if (m.name(n) == name || (m.name(n).empty() && m.op(n) == name)) return to_string(places.of(n));
        return "no such node";
    }
};

node_id call(ir_builder& b, const char* op, node_id x) { return b.call(op, {x}, {}, row); }

}  // namespace

TEST_CASE("what stands in a function is where its result is, but for parameters and what a fixed on_device holds") {
    const program p({cpu, cuda}, cuda, [](ir_builder& b, const nodes& x) {
        const node_id there = b.on_device(call(b, "negative", x[0]), cpu, true);
        return b.call("add", {b.device_copy(there, cpu, cuda), x[1]}, {}, row);
    });
    CHECK(p.at("x0") == "cpu:0");
    CHECK(p.at("x1") == "cuda:0");
    CHECK(p.at("negative") == "cpu:0");
    CHECK(p.at("on_device") == "cpu:0");
    CHECK(p.at("device_copy") == "cuda:0");
    CHECK(p.at("add") == "cuda:0");
    CHECK(p.at("function") == "cuda:0");
    CHECK(p.places.said_by(p.m.main()) == p.m.main());
    CHECK(p.places.inside(p.m.main()) == cuda);
}

TEST_CASE("a let's variable is where its value is, also where that is a variable, a function or a global") {
    const program p({cpu, cuda}, cuda, [](ir_builder& b, const nodes& x) {
        const node_id v = b.input("v", row), w = b.input("w", row), f = b.input("f", {}), y = b.input("y", row), g = b.input("g", {}),
                      a = b.input("a", row);
        b.set_where(y, cpu);
        const node_id parameters[] = {y};
        const node_id function = b.function(parameters, call(b, "exp", y), {});
        b.set_where(function, cpu);
        const node_id last = b.let(a, call(b, "log", v), a);
        const node_id inner = b.let(g, b.global("main", {}), b.let(f, function, b.let(w, v, last)));
        return b.let(v, b.on_device(call(b, "negative", x[0]), cpu, true), inner);
    });
    CHECK(p.at("v") == "cpu:0");
    CHECK(p.at("w") == "cpu:0");
    CHECK(p.at("f") == "cpu:0");
    CHECK(p.at("g") == "cuda:0");
    CHECK(p.at("global") == "cuda:0");
    CHECK(p.at("a") == "cuda:0");
    CHECK(p.at("log") == "cuda:0");
    CHECK(p.at("y") == "cpu:0");
    CHECK(p.at("exp") == "cpu:0");
    CHECK(p.at("let") == "cuda:0");
}

TEST_CASE("a branch, a match and all that they hold are where they stand") {
    const program p({cuda, cuda}, cuda, [](ir_builder& b, const nodes& x) {
        const node_id h = b.input("h", row);
        attribute_map clauses{{"clause_sizes", std::vector<std::int64_t>{1, 0}}, {"patterns", std::vector<std::string>{"Cons(%, _)", "_"}}};
        const node_id m = b.add(node_kind::match, {x[0], h, call(b, "exp", h), call(b, "log", x[0])}, 0, {}, row, clauses);
        return b.on_device(b.if_else(x[1], m, call(b, "negative", x[0])), cpu, true);
    });
    for (const char* name : {"h", "exp", "log", "match", "if", "negative"}) CHECK(p.at(name) == "cpu:0");
}

TEST_CASE("an on_device that is not fixed is a call like another") {
    const program p({cuda}, cuda, [](ir_builder& b, const nodes& x) { return b.on_device(call(b, "negative", x[0]), cpu, false); });
    CHECK(p.at("negative") == "cuda:0");
    CHECK(p.at("on_device") == "cuda:0");
    CHECK_FALSE(is_fixed_on_device(p.m, p.m.result(p.m.main())));
}

TEST_CASE("a primitive function is where it is called, unless it says itself") {
    const auto with = [](bool bound, const std::optional<placement>& own) {
        return program({cpu, cuda}, cuda, [&](ir_builder& b, const nodes& x) {
            const node_id y = b.input("y", row);
            const node_id parameters[] = {y};
            const node_id f = b.function(parameters, call(b, "exp", y), {}, {{"Primitive", std::int64_t{1}}});
            if (own) b.set_where(f, *own);
            const node_id v = b.input("v", {}), z = b.input("z", row);
            const node_id called[] = {bound ? v : f, x[0]};
            const node_id body = b.let(z, b.on_device(b.apply(called, row), cpu, true), x[1]);
            return bound ? b.let(v, f, body) : body;
        });
    };
    for (const bool bound : {false, true}) {
        CHECK(with(bound, std::nullopt).at("exp") == "cpu:0");
        CHECK(with(bound, std::nullopt).at("y") == "cpu:0");
        CHECK(with(bound, cuda).at("exp") == "cuda:0");
    }
}

TEST_CASE("the parameters of a primitive function are where its first call has its arguments, unless they say themselves") {
    const auto with = [](bool bound, bool primitive, const placement& own) {
        return program({cuda, cpu}, cpu, [&](ir_builder& b, const nodes& x) {
            const node_id y = b.input("y", row), z = b.input("z", row);
            b.set_where(z, own);
            const attribute_map attributes = primitive ? attribute_map{{"Primitive", std::int64_t{1}}} : attribute_map();
            const node_id f = b.function(nodes{y, z}, b.call("mul", {call(b, "exp", y), z}, {}, row), {}, attributes);
            const node_id v = b.input("v", {});
            const node_id body = b.apply(nodes{bound ? v : f, x[0], x[1]}, row);
            return bound ? b.let(v, f, body) : body;
        });
    };
    for (const bool bound : {false, true}) {
        CHECK(with(bound, true, {}).at("y") == "cuda:0");
        CHECK(with(bound, true, {}).at("z") == "cpu:0");
        CHECK(with(bound, true, cuda).at("z") == "cuda:0");
        CHECK(with(bound, true, {}).at("exp") == "cpu:0");
        CHECK(with(bound, false, {}).at("y") == "cpu:0");
    }
}

TEST_CASE("a place that a node has of its own holds for it and what it reads, and nothing said is free") {
    const program p({placement()}, placement(), [](ir_builder& b, const nodes& x) {
        const node_id storage = call(b, "memory.alloc_storage", call(b, "log", x[0]));
        b.set_where(storage, cuda);
        return call(b, "exp", storage);
    });
    CHECK(p.at("memory.alloc_storage") == "cuda:0");
    CHECK(p.at("log") == "cuda:0");
    CHECK(p.at("exp") == "?");
    CHECK(p.at("function") == "?");
    CHECK(p.places.said_by(p.m.main()) == no_node);
}

TEST_CASE("a hundred thousand lets within each other cost no native stack") {
    const program p({cpu}, cuda, [](ir_builder& b, const nodes& x) {
        std::vector<std::pair<node_id, node_id>> bound;
        node_id from = x[0];
        for (int i = 0; i < 100'000; ++i) {
            const node_id v = b.input(i == 0 ? "first" : "other", row);
            bound.emplace_back(v, i == 0 ? x[0] : from);
            from = v;
        }
        node_id body = call(b, "exp", from);
        for (std::size_t i = bound.size(); i-- > 0;) body = b.let(bound[i].first, bound[i].second, body);
        return body;
    });
    CHECK(p.at("first") == "cpu:0");
    CHECK(p.at("other") == "cpu:0");
    CHECK(p.at("exp") == "cuda:0");
}
