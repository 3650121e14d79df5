// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ir/compare_programs.hpp>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/ir/ir_builder.hpp>

#include "placement/random_relay.hpp"

using namespace inlay;

namespace {

const tensor_type row(element_type::float32, {4});
const tensor_type number(element_type::float32, {});

/// A program of one function of one variable.
template <class Body>
ir_module program(Body body, const placement& of_parameter = {}, const placement& of_result = {}, const char* variable = "x") {
    ir_builder b;
    const node_id x = b.input(variable, row);
    b.set_where(x, of_parameter);
    const node_id parameters[] = {x};
    const node_id f = b.function(parameters, body(b, x), "main");
    b.set_where(f, of_result);
    b.declare(f);
    return b.finish_in_blocks();
}

std::string difference(const ir_module& a, const ir_module& b) {
    const auto one = compare_programs(a, b), other = compare_programs(b, a);
    CHECK(one.has_value() == other.has_value());
    return one.value_or("");
}

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

node_id add(ir_builder& b, node_id x, node_id y) { return b.call("add", {x, y}, {}, row); }
node_id negative(ir_builder& b, node_id x) { return b.call("negative", {x}, {}, row); }

}  // namespace

TEST_CASE("names of locals and the order of shared values do not count") {
    const ir_module a = program([](ir_builder& b, node_id x) {
        const node_id y = negative(b, x), z = b.call("exp", {x}, {}, row);
        return add(b, y, z);
    });
    const ir_module c = program(
        [](ir_builder& b, node_id x) {
            const node_id z = b.call("exp", {x}, {}, row, "named"), y = negative(b, x);
            return add(b, y, z);
        },
        {}, {}, "other");
    CHECK(difference(a, a) == "");
    CHECK(difference(a, c) == "");
}

TEST_CASE("operators, operands and their number count") {
    const ir_module a = program([](ir_builder& b, node_id x) { return add(b, negative(b, x), x); });
    const std::string said = difference(a, program([](ir_builder& b, node_id x) { return add(b, b.call("exp", {x}, {}, row), x); }));
    CHECK(said == "in @main, the first program has a call of 'negative' where the second has a call of 'exp'");
    CHECK(has(difference(a, program([](ir_builder& b, node_id x) { return add(b, x, negative(b, x)); })),
              "the first program has a call of 'negative' where the second has a variable 'x'"));
    CHECK(has(difference(a, program([](ir_builder& b, node_id x) { return b.call("add", {negative(b, x)}, {}, row); })),
              "the call of 'add' has 2 operands in the first program and 1 in the second"));
    CHECK(has(difference(program([](ir_builder& b, node_id x) {
                             return b.projection(b.tuple(std::vector<node_id>{x, x}), 0);
                         }),
                         program([](ir_builder& b, node_id x) {
                             return b.projection(b.tuple(std::vector<node_id>{x, x}), 1);
                         })),
              "a projection of field 0 where the second has a projection of field 1"));
}

TEST_CASE("one value used twice is not two that are alike, and a let is no shared value") {
    const auto once = [](ir_builder& b, node_id x) {
        const node_id y = negative(b, x);
        return add(b, y, y);
    };
    const auto twice = [](ir_builder& b, node_id x) { return add(b, negative(b, x), negative(b, x)); };
    const auto bound = [](ir_builder& b, node_id x) {
        const node_id v = b.input("v", row);
        return b.let(v, negative(b, x), add(b, v, v));
    };
    CHECK(has(difference(program(once), program(twice)), "the first program uses one value, a call of 'negative', a second time"));
    CHECK(has(difference(program(twice), program(once)), "the second program uses one value, a call of 'negative', a second time"));
    CHECK(has(difference(program(once), program(bound)), "a call of 'add' where the second has a let"));
    CHECK(difference(program(bound), program(bound)) == "");
    // The same number of values, crossed.
    const auto crossed = [](bool turned) {
        return program([&](ir_builder& b, node_id x) {
            const node_id y = negative(b, x), z = negative(b, x);
            return add(b, add(b, y, z), turned ? add(b, z, y) : add(b, y, z));
        });
    };
    CHECK(has(difference(crossed(false), crossed(true)), "different ones of several values"));
}

TEST_CASE("constants are compared by type and bytes, and how they are shared does not count") {
    const auto with = [](const tensor& c, const tensor& d) {
        return program([&](ir_builder& b, node_id x) { return add(b, add(b, x, b.constant(c)), b.constant(d)); });
    };
    const tensor two = tensor::scalar(2.0f);
    const ir_module shared = program([&](ir_builder& b, node_id x) {
        const node_id c = b.constant(two);
        return add(b, add(b, x, c), c);
    });
    CHECK(difference(with(two, two), shared) == "");
    CHECK(has(difference(shared, with(two, tensor::scalar(3.0f))), "element 0 of the constant of type float32[] differs"));
    CHECK(has(difference(shared, with(two, tensor::scalar(2))),
              "a constant of type float32[] where the second has a constant of type int32[]"));
    CHECK(has(difference(with(two, tensor::of({2}, std::vector<float>{1, 2})), with(two, tensor::of({2}, std::vector<float>{1, 3}))),
              "element 1 of the constant of type float32[2] differs"));
    CHECK(difference(with(two, tensor::scalar(0.0f)), with(two, tensor::scalar(-0.0f))) != "");
}

TEST_CASE("attributes are compared by value, and one that is left out has its default") {
    const auto with = [](const attribute_map& attributes) {
        return program([&](ir_builder& b, node_id x) { return b.call("sum", {x}, attributes, number); });
    };
    const std::vector<std::int64_t> none;
    CHECK(difference(with({{"axis", std::vector<std::int64_t>{0, 1}}}), with({{"axis", std::vector<std::int64_t>{0, 1}}})) == "");
    CHECK(has(difference(with({{"axis", std::vector<std::int64_t>{0, 1}}}), with({{"axis", std::vector<std::int64_t>{0}}})),
              "attribute 'axis' of the call of 'sum' is [0, 1] in the first program and [0] in the second"));
    CHECK(has(difference(with({}), with({{"keepdims", std::int64_t{1}}})), "is left out in the first program and 1 in the second"));
    CHECK(difference(with({{"axis", none}}), with({{"axis", std::vector<std::string>()}})) == "");
    CHECK(has(difference(with({{"mode", std::string("a")}}), with({{"mode", std::int64_t{1}}})), "'a' in the first program and 1"));

    compare_options options;
    options.default_of = [](std::string_view op, std::string_view name) -> std::optional<attribute_value> {
        if (op == "sum" && name == "keepdims") return attribute_value(std::int64_t{0});
        return std::nullopt;
    };
    CHECK_FALSE(compare_programs(with({}), with({{"keepdims", std::int64_t{0}}}), options));
    CHECK(compare_programs(with({}), with({{"keepdims", std::int64_t{1}}}), options));
    CHECK(compare_programs(with({}), with({{"exclude", std::int64_t{0}}}), options));
}

TEST_CASE("on_device and match have defaults") {
    const auto annotated = [](const attribute_map& attributes) {
        return program([&](ir_builder& b, node_id x) {
            const node_id made = b.call("on_device", {x}, attributes, row);
            b.set_where(made, placement::on(device_type::cuda));
            return made;
        });
    };
    CHECK(difference(annotated({}), annotated({{"constrain_result", std::int64_t{0}}, {"constrain_body", std::int64_t{1}}})) == "");
    CHECK(difference(annotated({}), annotated({{"constrain_result", std::int64_t{1}}})) != "");
    const auto matched = [](const attribute_map& more) {
        return program([&](ir_builder& b, node_id x) {
            attribute_map attributes = more;
            attributes.set("clause_sizes", std::vector<std::int64_t>{0});
            attributes.set("patterns", std::vector<std::string>{"_"});
            return b.add(node_kind::match, {x, x}, 0, {}, row, attributes);
        });
    };
    CHECK(difference(matched({}), matched({{"complete", std::int64_t{1}}})) == "");
    CHECK(has(difference(matched({}), matched({{"complete", std::int64_t{0}}})), "attribute 'complete' of the match is 1"));
}

TEST_CASE("places count: of parameters, of on_device and device_copy, and of functions where both give one") {
    const placement cpu = placement::on(device_type::cpu), cuda = placement::on(device_type::cuda);
    const auto plain = [](ir_builder& b, node_id x) { return negative(b, x); };
    CHECK(difference(program(plain, cpu, cpu), program(plain, cpu, cpu)) == "");
    CHECK(has(difference(program(plain, cpu), program(plain, cuda)),
              "the place of the variable 'x' is cpu:0 in the first program and cuda:0 in the second"));
    CHECK(has(difference(program(plain, cpu), program(plain)), "is cpu:0 in the first program and ? in the second"));
    CHECK(has(difference(program(plain, cpu, cpu), program(plain, cpu, cuda)), "the place of the result of the function of 1 parameter"));
    CHECK(difference(program(plain, cpu, cpu), program(plain, cpu)) == "");

    const auto annotated = [](const placement& p) { return program([&](ir_builder& b, node_id x) { return b.on_device(x, p, true); }); };
    const auto copied = [](const placement& p, const placement& q) {
        return program([&](ir_builder& b, node_id x) { return b.device_copy(x, p, q); });
    };
    CHECK(has(difference(annotated(cpu), annotated(cuda)), "the place of the call of 'on_device'"));
    CHECK(difference(copied(cpu, cuda), copied(cpu, cuda)) == "");
    CHECK(has(difference(copied(cpu, cuda), copied(cuda, cuda)), "the source of the call of 'device_copy' is cpu:0"));
    CHECK(has(difference(copied(cpu, cuda), copied(cpu, cpu)), "the destination of the call of 'device_copy' is cuda:0"));
    placement near = cpu, other = cpu, aimed = cpu;
    near.scope = "near";
    other.id = 1;
    target_instance target, host;
    target.kind = "llvm";
    host.kind = "c";
    aimed.target = {target};
    placement hosted = aimed;
    hosted.target = {with_host(target, host)};
    for (const placement& p : {near, other, aimed, hosted}) CHECK(difference(annotated(cpu), annotated(p)) != "");
    CHECK(has(difference(annotated(aimed), annotated(hosted)), "target='llvm -host=c'"));
    CHECK(difference(annotated(hosted), annotated(hosted)) == "");
}

TEST_CASE("functions and data types are found by name, in any order") {
    const auto with = [](bool turned, const char* op, const char* name) {
        ir_builder b;
        const auto make = [&](const char* called, const char* of) {
            const node_id x = b.input("x", row);
            const node_id parameters[] = {x};
            return b.function(parameters, b.call(of, {x}, {}, row), called);
        };
        const node_id f = make("f", op), g = make(name, "exp");
        b.declare(turned ? g : f);
        b.declare(turned ? f : g);
        const node_id x = b.input("x", row);
        const node_id called[] = {b.global("f", {}), x};
        const node_id parameters[] = {x};
        b.declare(b.function(parameters, b.apply(called, row), "main"));
        return b.finish_in_blocks();
    };
    CHECK(difference(with(false, "negative", "g"), with(true, "negative", "g")) == "");
    CHECK(has(difference(with(false, "negative", "g"), with(false, "exp", "g")), "in @f, the first program has a call of 'negative'"));
    CHECK(difference(with(false, "negative", "g"), with(false, "negative", "h")) ==
          "the first program has the function @g, and the second has not");

    const auto list = [](const char* variable, const char* second, bool external = false) {
        ir_builder b;
        const node_type v = node_type::variable(variable);
        b.declare(data_type{"List", {variable}, {{"Cons", {v, node_type::data("List", {v})}}, {second, {}}}, external});
        const node_id x = b.input("x", row);
        const node_id parameters[] = {x};
        b.declare(b.function(parameters, x, "main"));
        return b.finish_in_blocks();
    };
    CHECK(difference(list("A", "Nil"), list("B", "Nil")) == "");
    CHECK(has(difference(list("A", "Nil"), list("A", "End")), "constructor 1 of the data type 'List' is 'Nil'"));
    CHECK(has(difference(list("A", "Nil"), list("A", "Nil", true)), "is defined in the first program and external in the second"));
    CHECK(has(difference(list("A", "Nil"), program([](ir_builder&, node_id x) { return x; })), "has the data type 'List'"));
}

TEST_CASE("types count where both sides know them, and type variables may have other names") {
    const auto typed = [](const node_type& t) { return program([&](ir_builder& b, node_id x) { return b.call("f", {x}, {}, t); }); };
    CHECK(difference(typed(row), typed({})) == "");
    CHECK(difference(typed(row), typed(tensor_type(element_type::float32))) == "");
    CHECK(has(difference(typed(row), typed(number)), "is of type float32[4] in the first program and float32[] in the second"));
    CHECK(difference(typed(node_type::tuple({row, {}})), typed(node_type::tuple({{}, number}))) == "");
    CHECK(difference(typed(node_type::tuple({row, row})), typed(node_type::tuple({row}))) != "");

    const auto generic = [](const char* variable, const char* used) {
        ir_builder b;
        const node_id x = b.input("x", node_type::variable(used));
        const node_id parameters[] = {x};
        const node_id f = b.function(parameters, x, "main");
        node_type t = b.so_far().type(f);
        t.variables = {variable, "Z"};
        b.set_type(f, t);
        b.declare(f);
        return b.finish_in_blocks();
    };
    CHECK(difference(generic("A", "A"), generic("B", "B")) == "");
    CHECK(difference(generic("A", "A"), generic("B", "Z")) != "");
    CHECK(difference(generic("A", "A"), generic("Z", "A")) != "");
}

TEST_CASE("a difference names both positions") {
    const auto at = [](const char* op, source_position where) {
        return program([&](ir_builder& b, node_id x) {
            const node_id made = b.call(op, {x}, {}, row);
            b.set_position(made, where);
            return made;
        });
    };
    CHECK(difference(at("exp", {3, 8}), at("log", {40, 2})) ==
          "in @main, the first program has a call of 'exp' where the second has a call of 'log', at 3:8 of the first program and 40:2 of "
          "the second");
}

TEST_CASE("a hundred thousand lets within each other cost no native stack") {
    const auto deep = [](const char* last) {
        return program([&](ir_builder& b, node_id x) {
            std::vector<std::pair<node_id, node_id>> bound;
            node_id from = x;
            for (int i = 0; i < 100'000; ++i) {
                const node_id v = b.input("v", row);
                bound.emplace_back(v, negative(b, from));
                from = v;
            }
            node_id body = b.call(last, {from}, {}, row);
            for (std::size_t i = bound.size(); i-- > 0;) body = b.let(bound[i].first, bound[i].second, body);
            return body;
        });
    };
    CHECK(difference(deep("exp"), deep("exp")) == "");
    CHECK(has(difference(deep("exp"), deep("log")), "a call of 'exp' where"));
}

namespace {

/// The program with its nodes in another order, operands first; node `changed` is made by `make` instead, from its operands.
template <class Make>
ir_module shuffled(const ir_module& m, std::uint64_t seed, node_id changed, Make make) {
    std::mt19937_64 random(seed);
    std::vector<std::uint32_t> left(m.size());
    std::vector<std::vector<node_id>> users(m.size());
    std::vector<node_id> ready, made(m.size(), no_node), operands;
    for (node_id n = 0; n < m.size(); ++n) {
        left[n] = static_cast<std::uint32_t>(m.arity(n));
        for (const node_id o : m.operands(n)) users[o].push_back(n);
        if (left[n] == 0) ready.push_back(n);
    }
    ir_builder b;
    for (const data_type& t : m.data_types()) b.declare(t);
    while (!ready.empty()) {
        std::swap(ready[random() % ready.size()], ready.back());
        const node_id n = ready.back();
        ready.pop_back();
        operands.clear();
        for (const node_id o : m.operands(n)) operands.push_back(made[o]);
        made[n] = n == changed ? make(b, operands) : b.copy(m, n, operands);
        b.set_name(made[n], "");
        for (const node_id u : users[n])
            if (--left[u] == 0) ready.push_back(u);
    }
    for (const node_id f : m.functions()) b.declare(made[f]);
    return b.finish_in_blocks();
}

}  // namespace

TEST_CASE("a random program equals itself in any order of nodes, and no program with one node changed") {
    std::size_t changes = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        CAPTURE(seed);
        random_relay::how how;
        how.places = {placement::on(device_type::cpu), placement::on(device_type::cuda)};
        const ir_module m = random_relay::program(seed, how);
        const auto plain = [&](std::uint64_t order) {
            return shuffled(m, order, no_node, [](ir_builder&, const auto&) { return no_node; });
        };
        const auto same = compare_programs(m, plain(seed));
        CHECK_MESSAGE(!same, same.value_or(""));
        for (node_id n = 0; n < m.size(); ++n) {
            if (m.kind(n) != node_kind::call && m.kind(n) != node_kind::constant) continue;
            ++changes;
            const ir_module other = shuffled(m, n, n, [&](ir_builder& b, const std::vector<node_id>& operands) {
                if (m.kind(n) == node_kind::constant) return b.constant(tensor::scalar(77.0f));
                if (m.op(n) != "on_device") return b.call("other", operands, m.attributes(n), m.type(n));
                attribute_map attributes = m.attributes(n);
                attributes.set("constrain_body", 1 - attributes.integer("constrain_body", 1));
                const node_id made = b.call("on_device", operands, attributes, m.type(n));
                b.set_where(made, m.where(n));
                return made;
            });
            CHECK(compare_programs(m, other).has_value());
        }
    }
    CHECK(changes > 1000);
}
