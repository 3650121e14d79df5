// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/runtime/simulate/simulate.hpp>

#include <doctest/doctest.h>

#include <inlay/ops/interpret/interpret.hpp>
#include <inlay/placement/plan_devices.hpp>

#include "passes/functions/kept_meaning.hpp"
#include "placement/random_relay.hpp"
#include "runtime/simulate/few_ops.hpp"

using namespace inlay_test;
using kept_meaning::copies_a_function;
using kept_meaning::inputs_of;
using planned::two_devices;

namespace {

/// What the interpreter and the machine say of one program.
void check_alike(const ir_module& m, const std::vector<tensor>& inputs) {
    const auto meant = interpret(m, inputs, few_ops()), found = simulate(m, inputs, few_ops());
    CHECK_MESSAGE(meant.has_value(), (meant ? std::string() : meant.failure().message));
    CHECK_MESSAGE(found.has_value(), (found ? std::string() : found.failure().message));
    if (!meant || !found) return;
    REQUIRE(meant->size() == found->size());
    for (std::size_t i = 0; i < meant->size(); ++i) CHECK((*meant)[i].content() == (*found)[i].content());
}

/// count(n, list) = if (n < 1) list else count(n - 1, Cons(n, list)); sum(list) = match (list) { Cons(h, t) => h + sum(t), Nil => 0 }
ir_module sum_of_list(const placement& p) {
    placed_builder b;
    {
        const node_id n = b.variable("n", p), list = b.variable("list", p, {});
        const node_id again =
            b.at(b.apply(nodes{b.global("count", {}), b.op("subtract", {n, b.value(1)}), b.at(b.construct("Cons", nodes{n, list}))}));
        b.declare(b.placed_function({n, list}, b.at(b.if_else(b.op("less", {n, b.value(1)}), list, again)), p, "count"));
    }
    {
        const node_id list = b.variable("list", p, {}), head = b.input("head", number), tail = b.input("tail", {});
        const node_id rest = b.op("add", {head, b.at(b.apply(nodes{b.global("sum", {}), tail}))});
        b.declare(b.placed_function({list}, b.matched({list, head, tail, rest, b.value(0)}, {2, 0}, {"Cons(%, %)", "Nil"}), p, "sum"));
    }
    const node_id n = b.variable("n", p);
    const node_id list = b.at(b.apply(nodes{b.global("count", {}), n, b.construct("Nil", nodes{})}));
    return b.main({n}, b.at(b.apply(nodes{b.global("sum", {}), list})), p);
}

/// let f = fn(n, sum) { if (n < 1) sum else f(n - 1, sum + n) }; f(x, 0)
ir_module recursive_let(const placement& p) {
    placed_builder b;
    const node_id x = b.variable("x", p), f = b.input("f", {});
    const node_id n = b.variable("n", p), sum = b.variable("sum", p);
    const node_id again = b.at(b.apply(nodes{f, b.op("subtract", {n, b.value(1)}), b.op("add", {sum, n})}));
    const node_id body = b.at(b.if_else(b.op("less", {n, b.value(1)}), sum, again));
    const node_id value = b.placed_function({n, sum}, body, p);
    return b.main({x}, b.let(f, value, b.at(b.apply(nodes{f, x, b.value(0)}))), p);
}

}  // namespace

TEST_CASE("a program whose copies bring tensors where operators are runs as its meaning says") {
    placed_builder b;
    const node_id x = b.variable("x", cpu), y = b.variable("y", cuda), z = b.input("z", number);
    const node_id moved = b.copied(b.there(b.op("negative", {x}), cpu), cpu, cuda);
    const node_id sum = b.there(b.op("add", {moved, y}), cuda);
    const ir_module m = b.main({x, y}, b.let(z, sum, b.op("multiply", {z, b.value(2)})), cuda);
    check_alike(m, {num(3), num(5)});
    CHECK(run(m, {num(3), num(5)}) == 4);
}

TEST_CASE("functions that call themselves by name and by let run a hundred thousand deep") {
    for (const placement& p : {placement(), cpu, cuda}) {
        check_alike(sum_of_list(p), {num(50)});
        check_alike(recursive_let(p), {num(50)});
    }
    CHECK(run(sum_of_list(cuda), {num(3)}) == 6);
    CHECK(run(sum_of_list(cuda), {num(100'000)}) > 4.9e9f);
}

TEST_CASE("what goes beyond the bounds of a run is an error") {
    const auto said = [](const simulate_options& options) {
        std::string text;
        run(recursive_let(cpu), {num(1'000)}, &text, options);
        return text;
    };
    simulate_options few;
    few.deepest_call = 500;
    CHECK(has(said(few), "more than 500 deep; set a higher simulate_options::deepest_call"));
    few = {};
    few.most_registers = 100;
    CHECK(has(said(few), "more than 100 registers"));
}

TEST_CASE("a program that says nothing of places runs on the host") {
    placed_builder b;
    const node_id x = b.variable("x", {}), y = b.input("y", number);
    const node_id shape = b.op("vm.shape_of", {x});
    const node_id same = b.op("vm.reshape_tensor", {b.op("negative", {x}), shape});
    const node_id twice = b.function(nodes{y}, b.op("add", {y, y}));
    const ir_module m = b.main({x}, b.apply(nodes{twice, same}));
    CHECK(run(m, {num(4)}) == -8);
}

TEST_CASE("closures keep what they captured, functions are values, and references are shared") {
    placed_builder b;
    const node_id x = b.variable("x", cuda), y = b.variable("y", cuda), z = b.variable("z", cuda);
    const node_id twice = b.op("add", {x, x});
    const node_id inner = b.placed_function({z}, b.op("subtract", {b.op("multiply", {twice, y}), z}), cuda);
    const node_id outer = b.placed_function({y}, inner, cuda);
    const node_id by_ten = b.at(b.apply(nodes{outer, b.value(10)}));
    const node_id r = b.input("r", {}), u = b.input("u", {}), s = b.input("s", {});
    const node_id made = b.at(b.add(node_kind::make_ref, {b.at(b.apply(nodes{by_ten, b.value(1)}))}, 0, {}, {}));
    const node_id write = b.at(b.add(node_kind::write_ref, {s, b.op("add", {b.add(node_kind::read_ref, {r}, 0, {}, {}), x})}, 0, {}, {}));
    const node_id both = b.at(b.tuple(nodes{b.at(b.add(node_kind::read_ref, {r}, 0, {}, {})), b.at(b.apply(nodes{by_ten, b.value(2)}))}));
    const node_id body = b.let(u, b.there(write, cuda), both);
    const ir_module m = b.main({x}, b.let(r, b.there(made, cuda), b.let(s, r, body)), cuda);
    check_alike(m, {num(3)});
    CHECK(run(m, {num(3)}) == 62);
}

TEST_CASE("a reference that reaches itself is freed with the machine") {
    placed_builder b;
    const node_id x = b.variable("x", cpu), r = b.input("r", {}), u = b.input("u", {}), v = b.variable("v", cpu);
    const node_id first = b.placed_function({v}, v, cpu);
    const node_id w = b.variable("w", cpu);
    const node_id itself = b.placed_function({w}, b.apply(nodes{b.add(node_kind::read_ref, {r}, 0, {}, {}), w}), cpu);
    const node_id write = b.add(node_kind::write_ref, {r, itself}, 0, {}, {});
    const ir_module m = b.main({x}, b.let(r, b.add(node_kind::make_ref, {first}, 0, {}, {}), b.let(u, write, x)), cpu);
    CHECK(run(m, {num(3)}) == 3);
}

TEST_CASE("nested patterns take parts of parts, the first clause that fits is taken, and no clause is an error") {
    const auto make = [](const char* pattern) {
        placed_builder b;
        const node_id x = b.variable("x", cuda), y = b.variable("y", cuda);
        const node_id some = b.construct("Some", nodes{y});
        const node_id pair = b.construct("Pair", nodes{b.tuple(nodes{x, some}), b.unit()});
        const node_id p = b.input("p", {}), q = b.input("q", {}), r = b.input("r", {});
        const bool refutable = std::string(pattern) != "%";
        return b.main(
            {x, y},
            b.matched({pair, p, q, b.op("subtract", {p, q}), r, b.value(7)}, {2, 1}, {"Pair((%, Some(%)), _)", refutable ? pattern : "%"}),
            cuda);
    };
    check_alike(make("%"), {num(5), num(3)});
    CHECK(run(make("%"), {num(5), num(3)}) == 2);
    const auto other = [](const char* constructor) {
        placed_builder b;
        const node_id x = b.variable("x", cuda), p = b.input("p", {});
        return b.main({x}, b.matched({b.construct(constructor, nodes{x}), p, p, b.value(7)}, {1, 0}, {"Left(%)", "Right(_)"}), cuda);
    };
    CHECK(run(other("Left"), {num(5)}) == 5);
    CHECK(run(other("Right"), {num(5)}) == 7);
    CHECK(has(failure(other("None"), {num(5)}), "has no clause"));
}

TEST_CASE("only the side of a branch that is taken runs, and what both read is evaluated once before") {
    const auto make = [] {
        placed_builder b;
        const node_id c = b.variable("c", cpu, flag), x = b.variable("x", cpu);
        const node_id shared = b.op("multiply", {x, x});
        const node_id yes = b.op("add", {shared, x}), no = b.op("no.such", {shared});
        return b.main({c, x}, b.at(b.if_else(c, yes, no)), cpu);
    };
    CHECK(run(make(), {truth(true), num(3)}) == 12);
    CHECK(failure(make(), {truth(false), num(3)}).starts_with("line 5, column 1 (such): the operator 'no.such' is in no operator set"));
    const std::string code = listing(make());
    CHECK(code.find("multiply") < code.find("jump_unless"));
}

TEST_CASE("a primitive function runs where it is called") {
    placed_builder b;
    const node_id x = b.variable("x", cpu), y = b.variable("y", cuda), z = b.input("z", number), f = b.input("f", {}),
                  v = b.input("v", number);
    const node_id twice = b.function(nodes{z}, b.op("add", {z, b.value(1)}), {}, {{"Primitive", std::int64_t{1}}});
    const node_id here = b.there(b.at(b.apply(nodes{f, x})), cpu);
    const node_id there = b.at(b.apply(nodes{f, y}));
    const ir_module m = b.main({x, y}, b.let(f, twice, b.let(v, here, b.op("add", {b.copied(v, cpu, cuda), there}))), cuda);
    check_alike(m, {num(1), num(2)});
    CHECK(run(m, {num(1), num(2)}) == 5);
}

TEST_CASE("a primitive function reads its arguments where they are, and nothing in it is elsewhere [placement.kernel.arguments]") {
    placement far = cpu;
    far.scope = "far";
    const attribute_map primitive{{"Primitive", std::int64_t{1}}};
    // Memories of the argument, as the program and the kernel say, and of the result.
    struct row {
        placement argument, parameter, result;
    };
    for (const row& r :
         {row{far, {}, cpu}, row{cpu, {}, far}, row{cuda, {}, cpu}, row{cpu, {}, cuda}, row{far, far, cpu}, row{cpu, {}, cpu}}) {
        placed_builder b;
        const node_id x = b.variable("x", r.argument), z = b.input("z", number);
        b.set_where(z, r.parameter);
        // What an annotation within a kernel names is the kernel's own.
        const node_id noted = b.there(b.op("negative", {z}), cuda);
        const node_id kernel = b.function(nodes{z}, b.op("add", {noted, b.op("add", {z, b.value(1)})}), {}, primitive);
        const ir_module m = b.main({x}, b.op("add", {b.at(b.apply(nodes{kernel, x})), b.value(4)}), r.result);
        check_alike(m, {num(3)});
        CHECK(run(m, {num(3)}) == 5);
    }
    // A place that a parameter names holds.
    {
        placed_builder b;
        const node_id x = b.variable("x", cpu), z = b.variable("z", far);
        const node_id kernel = b.function(nodes{z}, b.op("negative", {z}), {}, primitive);
        CHECK(has(failure(b.main({x}, b.at(b.apply(nodes{kernel, x})), cpu), {num(3)}), "argument 0 is in the memory of cpu"));
    }
    // Several arguments in several memories, a tuple among the results, and a function within the kernel.
    placed_builder b;
    const node_id x = b.variable("x", far), y = b.variable("y", cuda), p = b.input("p", number), q = b.input("q", number),
                  v = b.input("v", number);
    const node_id inner = b.function(nodes{v}, b.op("multiply", {v, v}), {}, {});
    const node_id both = b.tuple(nodes{b.op("add", {p, q}), b.apply(nodes{inner, q}), p});
    const node_id kernel = b.function(nodes{p, q}, both, {}, primitive);
    const node_id f = b.input("f", {}), t = b.input("t", {});
    const node_id called = b.at(b.apply(nodes{f, x, y}));
    const node_id sum = b.op("add", {b.at(b.projection(t, 0)), b.op("add", {b.at(b.projection(t, 1)), b.at(b.projection(t, 2))})});
    const ir_module m = b.main({x, y}, b.let(f, kernel, b.let(t, b.there(called, cpu), sum)), cpu);
    check_alike(m, {num(2), num(3)});
    CHECK(run(m, {num(2), num(3)}) == 16);
}

TEST_CASE("a copy goes through tuples and data, keeps what is shared, and refuses references") {
    const auto make = [](bool with_reference) {
        placed_builder b;
        const node_id x = b.variable("x", cpu);
        node_id t = b.at(b.add(node_kind::tuple, {x, x}, 0, {}, {}));
        // Were it not shared, it would be two to the power of 60 tensors; so would its type, which is left open.
        for (int i = 0; i < 60; ++i) t = b.at(b.add(node_kind::tuple, {t, t}, 0, {}, {}));
        if (with_reference) t = b.at(b.add(node_kind::tuple, {t, b.at(b.add(node_kind::make_ref, {x}, 0, {}, {}))}, 0, {}, {}));
        node_id found = b.copied(b.there(t, cpu), cpu, cuda);
        for (int i = 0; i < 61 + (with_reference ? 1 : 0); ++i) found = b.at(b.projection(found, 0));
        return b.main({x}, b.op("negative", {found}), cuda);
    };
    CHECK(run(make(false), {num(3)}) == -3);
    CHECK(has(failure(make(true), {num(3)}), "copies a reference"));
    placed_builder b;
    const node_id n = b.variable("n", cpu), h = b.input("h", number);
    const node_id list = b.construct("Cons", nodes{n, b.construct("Nil", nodes{})});
    CHECK(run(b.main(
                  {n},
                  b.matched({b.copied(b.there(list, cpu), cpu, cuda), h, b.op("negative", {h}), b.value(0)}, {1, 0}, {"Cons(%, _)", "Nil"}),
                  cuda),
              {num(3)}) == -3);
}

TEST_CASE("the result may be any value, whose tensors are given in reading order") {
    placed_builder b;
    const node_id x = b.variable("x", cuda), y = b.variable("y", cuda), z = b.variable("z", cuda);
    const node_id list = b.construct("Cons", nodes{x, b.construct("Cons", nodes{y, b.construct("Nil", nodes{})})});
    const node_id cell = b.add(node_kind::make_ref, {b.tuple(nodes{y, x})}, 0, {}, {});
    const node_id whole = b.tuple(nodes{list, b.placed_function({z}, z, cuda), b.unit(), cell});
    const auto found = simulate(b.main({x, y}, whole, cuda), std::vector<tensor>{num(1), num(2)}, few_ops());
    REQUIRE(found.has_value());
    std::vector<float> values;
    for (const tensor& t : *found) values.push_back(t.as<float>()[0]);
    CHECK(values == std::vector<float>{1, 2, 2, 1});
    placed_builder c;
    const node_id u = c.variable("u", cpu), v = c.variable("v", cpu);
    CHECK(has(failure(c.main({u, v}, c.there(c.construct("Pair", nodes{u, v}), cpu), cuda), {num(1), num(2)}),
              "(function): the result is in the memory of cpu, where it has to be in the memory of cuda"));
}

TEST_CASE("shapes are in the host's memory") {
    const auto make = [](bool copied) {
        placed_builder b;
        const node_id x = b.variable("x", cuda, tensor_type(element_type::float32, {2, 3})), y = b.variable("y", cuda);
        const node_id shape = b.op("vm.shape_of", {x});
        return b.main({x, y}, b.op("vm.reshape_tensor", {y, copied ? b.copied(shape, cpu, cuda) : b.there(shape, cpu)}), cuda);
    };
    const tensor x(element_type::float32, {2, 3}), y = tensor::of({6}, std::vector<float>{1, 2, 3, 4, 5, 6});
    const auto found = simulate(make(false), std::vector<tensor>{x, y.reshaped({6})}, few_ops());
    CHECK_FALSE(found.has_value());  // y is declared to be a number
    placed_builder b;
    const node_id p = b.variable("p", cuda, {}), q = b.variable("q", cuda, {});
    const node_id shape = b.there(b.op("vm.shape_of", {p}), cpu);
    const ir_module m = b.main({p, q}, b.op("vm.reshape_tensor", {q, shape}), cuda);
    const auto fits = simulate(m, std::vector<tensor>{x, y}, few_ops());
    REQUIRE(fits.has_value());
    CHECK((*fits)[0].extents() == ints{2, 3});
    CHECK(has(failure(m, {x, num(1)}), "a shape that does not fit the 1 elements"));
    placed_builder c;
    const node_id r = c.variable("r", cuda, {});
    CHECK(has(failure(c.main({r}, c.op("vm.reshape_tensor", {r, c.copied(c.there(c.op("vm.shape_of", {r}), cpu), cpu, cuda)}), cuda), {x}),
              "operand 1 is in the memory of cuda, where it has to be in the memory of cpu"));
}

TEST_CASE("a lowered function cannot be run, unless nobody calls it") {
    const auto make = [](bool called) {
        placed_builder b;
        const node_id p = b.variable("p", placement::in_scope("near")), out = b.variable("out", placement::in_scope("far"));
        b.declare(b.placed_function({p}, out, placement::in_scope("far"), "g", {{"extern", std::int64_t{1}}}));
        const node_id x = b.variable("x", cpu);
        const node_id call = b.op("call_lowered", {b.global("g", {}), b.tuple(nodes{x})});
        return b.main({x}, called ? call : x, cpu);
    };
    CHECK(run(make(false), {num(3)}) == 3);
    CHECK(has(failure(make(true), {num(3)}), "argument 0 is in the memory of cpu, where it has to be in the memory 'near' of cpu"));
}

TEST_CASE("random programs mean the same to the machine as to the interpreter, as they are and as they are planned") {
    const placement here = placement::on(*two_devices().least_specialised(device_type::cpu)),
                    there = placement::on(*two_devices().least_specialised(device_type::cuda));
    placement near = here;
    near.scope = "near";
    std::size_t planned_programs = 0;
    for (std::uint64_t seed = 0; seed < 600; ++seed) {
        CAPTURE(seed);
        random_relay::how how;
        if (seed % 3 != 0) how.places = {here, there, near};
        const ir_module m = random_relay::program(seed, how);
        const std::vector<tensor> inputs = inputs_of(m, seed % 2 == 0);
        if (how.places.empty()) check_alike(m, inputs);
        const auto meant = interpret(m, inputs, few_ops());
        REQUIRE(meant.has_value());
        placement_options options;
        options.share_copies = seed % 2 == 0;
        const auto planned = plan_devices(m, two_devices(), options);
        if (!planned || copies_a_function(*planned)) continue;
        ++planned_programs;
        for (const ir_module& form : {*planned, capture_places(*planned)}) {
            const auto found = simulate(form, inputs, few_ops());
            CHECK_MESSAGE(found.has_value(), (found ? std::string() : found.failure().message));
            if (found) CHECK((*found)[0].content() == (*meant)[0].content());
        }
    }
    CHECK(planned_programs > 300);
}

TEST_CASE("where a copy of a planned program is left out, the run notices as far as it comes there") {
    const placement here = placement::on(*two_devices().least_specialised(device_type::cpu)),
                    there = placement::on(*two_devices().least_specialised(device_type::cuda));
    std::size_t broken = 0, noticed = 0;
    for (std::uint64_t seed = 1; seed < 600; ++seed) {
        random_relay::how how;
        how.places = {here, there};
        const ir_module m = random_relay::program(seed, how);
        const auto planned = plan_devices(m, two_devices());
        if (!planned) continue;
        const ir_module text = capture_places(*planned);
        const std::vector<tensor> inputs = inputs_of(m, true);
        if (!simulate(text, inputs, few_ops())) continue;
        // The last copy brings what its reader has in the wrong place.
        ir_builder b;
        nodes made(text.size());
        node_id last = no_node;
        for (node_id n = 0; n < text.size(); ++n)
            if (text.kind(n) == node_kind::call && text.op(n) == "device_copy") last = n;
        if (last == no_node) continue;
        for (node_id n = 0; n < text.size(); ++n) {
            nodes operands;
            for (const node_id o : text.operands(n)) operands.push_back(made[o]);
            made[n] = n == last ? operands[0] : b.copy(text, n, operands);
        }
        for (const node_id f : text.functions()) b.declare(made[f]);
        const auto wrong = simulate(b.finish_in_blocks(), inputs, few_ops());
        ++broken;
        noticed += wrong ? 0 : 1;
    }
    CHECK(broken > 50);
    CHECK(noticed * 2 > broken);
}
