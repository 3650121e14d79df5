// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/loops/nest/check_nest.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <inlay/loops/nest/nest_builder.hpp>

#include "../nests.hpp"

using namespace inlay;

namespace {
/// What is wrong with a nest whose statements are these, over x: float32[4] and y: float32[4].
std::string fault_of(const std::string& statements) {
    const auto made = parse_nest("nest n { input x: float32[4] output y: float32[4] " + statements + " }");
    return made ? "" : made.failure().message;
}
bool says(const std::string& statements, const std::string& what) { return fault_of(statements).find(what) != std::string::npos; }
}  // namespace

TEST_CASE("an index that may leave its extent is no sound nest, whatever way it goes [loops.check.bounds]") {
    CHECK(fault_of("for i < 4 { y[i] = x[i] }").empty());
    CHECK(fault_of("for i < 4 { y[3 - i] = x[i] }").empty());
    CHECK(says("for i < 5 { y[i] = 0.0 }", "index 0 of 'y' may leave its extent 4"));
    CHECK(says("for i < 4 { y[i] = x[i - 1] }", "index 0 of 'x' may leave"));
    CHECK(says("for i < 4 { y[i] = x[i + 9223372036854775807] }", "may leave"));
    CHECK(says("for i < 4 { y[i] = x[i, i] }", "has 2 indices where the buffer has 1 extents"));
}

TEST_CASE("bounds around a place count, where they speak of the same number [loops.check.guards]") {
    CHECK(fault_of("for i < 9 { if 0 <= i < 4 { y[i] = 0.0 } }").empty());
    CHECK(fault_of("for i < 4 { y[i] = within(0 <= i - 1 < 4, x[i - 1], 0.0) }").empty());
    CHECK(fault_of("for i < 9 { if 2 <= i + 2 < 6 { y[i] = x[i] } }").empty());
    CHECK(says("for i < 4 { y[i] = within(0 <= i - 1 < 4, 0.0, x[i - 1]) }", "may leave"));
    CHECK(says("for i < 9 { if 0 <= i < 5 { y[i] = 0.0 } }", "may leave"));
    CHECK(fault_of("for i < 9 { if 0 <= 2*i < 8 { y[i] = 0.0 } }").empty());
    CHECK(says("for i < 9 { if 0 <= 2*i < 9 { y[i] = 0.0 } }", "may leave"));
    CHECK(says("for i < 9 { if 0 <= i < 4 { y[0] = 0.0 } y[i] = 0.0 }", "may leave"));
}

TEST_CASE("bounds around a place count where they speak of a part of the number [loops.check.guards]") {
    CHECK(fault_of("for i < 9 { for j < 2 { if 0 <= i - 3 < 2 { y[2*i + j - 6] = 0.0 } } }").empty());
    CHECK(fault_of("for i < 9 { for j < 9 { if 0 <= i < 2 and 4 <= j < 6 { y[2*j + i - 8] = 0.0 } } }").empty());
    CHECK(fault_of("for i < 9 { for j < 2 { if -1 <= -i + j < 1 { y[3 - i + j] = 0.0 } } }").empty());
    CHECK(says("for i < 9 { for j < 3 { if 0 <= i - 3 < 2 { y[2*i + j - 6] = 0.0 } } }", "may leave"));
    CHECK(says("for i < 9 { for j < 9 { if 0 <= i < 2 and 4 <= j < 7 { y[2*j + i - 8] = 0.0 } } }", "may leave"));
    CHECK(fault_of("for i < 9 { if 0 <= 2*i - 6 < 2 { y[i] = 0.0 } }").empty());
    CHECK(says("for i < 9 { if 0 <= 3*i < 13 { y[i] = 0.0 } }", "may leave"));
}

TEST_CASE("a loop without rounds does nothing, so that nothing in it can be wrong but its form [loops.check.empty]") {
    CHECK(fault_of("for i < 0 { y[i + 9] = 0.0 }").empty());
    CHECK(says("for i < 0 { y[i] = 1 }", "cast it"));
    CHECK(says("for i < -1 { y[0] = 0.0 }", "negative extent"));
}

TEST_CASE("what stands under bounds that never hold is never reached, so that its indices cannot leave an extent [loops.check.never]") {
    CHECK(fault_of("for i < 4 { y[i] = within(0 <= i < 0, x[i + 9], 0.0) }").empty());
    CHECK(fault_of("for i < 1 { y[i] = within(0 <= i - 1 < 1, x[i - 1], 0.0) }").empty());
    CHECK(fault_of("for i < 4 { for k < 2 { if 4 <= i < 9 { y[i + 9*k] = 0.0 } } }").empty());
    CHECK(fault_of("for i < 4 { if 0 <= 0 < 0 { y[i + 9] = 0.0 } }").empty());
    // Each holds for some rounds, both for none.
    CHECK(fault_of("for i < 9 { if 0 <= i < 3 and 5 <= i < 9 { y[i + 9] = 0.0 } }").empty());
    CHECK(fault_of("for i < 9 { for j < 2 { if 0 <= i - 2*j < 2 and 4 <= i < 9 { y[i + 9] = 0.0 } } }").empty());
    // A multiple of 3 that is 1 or 2.
    CHECK(fault_of("for i < 9 { if 1 <= 3*i < 3 { y[i + 9] = 0.0 } }").empty());
    CHECK(fault_of("for i < 9 { if -1 <= -3*i + 1 < 1 { y[i + 9] = 0.0 } }").empty());
    CHECK(says("for i < 4 { y[i] = within(0 <= i < 0, 0.0, x[i + 9]) }", "may leave"));
    CHECK(says("for i < 9 { if 0 <= i < 3 and 2 <= i < 9 { y[i + 9] = 0.0 } }", "may leave"));
    CHECK(says("for i < 9 { if 1 <= 3*i < 4 { y[i + 9] = 0.0 } }", "may leave"));
    CHECK(says("for i < 9 { if -2 <= -3*i + 1 < 1 { y[i + 9] = 0.0 } }", "may leave"));
    CHECK(says("for i < 4 { y[i] = within(0 <= i < 0, 1, 0.0) }", "wrong element type"));
}

TEST_CASE("bounds around an index that stays in its extent anyway do not make it leave it [loops.check.guards]") {
    CHECK(fault_of("for i < 4 { for j < 2 { if 0 <= j - i < 9 { y[i] = x[2*j] } } }").empty());
    CHECK(fault_of("for i < 4 { for j < 2 { y[i] = within(-9 <= j - i < 1, x[i], 0.0) } }").empty());
    CHECK(says("for i < 5 { for j < 2 { if 0 <= j + i < 9 { y[i] = 0.0 } } }", "may leave"));
}

TEST_CASE("element types agree [loops.check.elements]") {
    CHECK(says("y[0] = 1", "a value of int64 is written to 'y', which holds float32; cast it"));
    CHECK(says("y[0] = x[0] + 1", "an operand of 'add' has the wrong element type"));
    CHECK(says("y[0] = choose(x[0], 1.0, 2.0)", "a choice"));
    CHECK(says("y[0] = exp(1)", "an operand of 'exp'"));
    CHECK(says("y[0] both= x[0]", "is updated by 'both'"));
    CHECK(fault_of("y[0] = choose(less(x[0], 1.0), float32(3), 2.0)").empty());
}

TEST_CASE("inputs stay as they are, and buffers are used where they are there [loops.check.buffers]") {
    CHECK(says("x[0] = 1.0", "it writes its input 'x'"));
    CHECK(says("stack s: float32[1] { s[0] = 1.0 } y[0] = s[0]", "a buffer is used where there is none of it"));
    CHECK(says("stack s: float32[-1] { y[0] = 1.0 }", "extents are 0 or more"));
    CHECK(says("scratch s: float32[9223372036854775807, 9] { y[0] = 1.0 }", "their product has 64 bits"));
    CHECK(says("scratch s: float32[4611686018427387904] { y[0] = 1.0 }", "larger than 64 bits can count"));
    CHECK(says("scratch s: float32[2] strides [-1] { y[0] = 1.0 }", "larger than 64 bits can count"));
}

TEST_CASE("rounds that may run at one time share no element that one of them writes [loops.check.races]") {
    CHECK(fault_of("for i < 4 parallel { y[i] = x[0] }").empty());
    CHECK(says("for i < 4 parallel { y[0] = x[i] }", "the loop over 'i' is parallel, but its rounds share elements of 'y'"));
    CHECK(says("for i < 4 vector { y[0] += x[i] }", "is vector"));
    CHECK(says("for i < 3 thread_x { y[i] = y[i + 1] }", "is thread_x"));
    CHECK(fault_of("for i < 4 unrolled { y[0] += x[i] }").empty());
    CHECK(fault_of("for i < 4 parallel { stack s: float32[1] { s[0] = x[i] y[i] = s[0] } }").empty());
}

TEST_CASE("what was put together wrongly is said, not run [loops.check.form]") {
    nest_builder b("twice");
    const buffer_id y = b.buffer(buffer_scope::output, "y", element_type::float32, {2});
    const variable_id i = b.variable("i");
    const statement_id store = b.store(y, {affine::of(i)}, b.number(1));
    loop_nest n = std::move(b).finish(b.block({store, store}));
    CHECK(check_nest(n).failure().message == "loop nest 'twice': an index follows 'i' outside its loop");
    n.statements[0].indices = {affine(0)};
    CHECK(check_nest(n).failure().message == "loop nest 'twice': a statement stands in two places; make a copy of it");
    n.root = 9;
    CHECK(check_nest(n).failure().message == "loop nest 'twice': there is no statement for it to begin with");
    n.root = 0;
    CHECK(check_nest(n));
    n.statements[0].value = 7;
    CHECK_FALSE(check_nest(n));
    n.statements[0].value = 0;
    n.statements[0].buffer = 3;
    CHECK_FALSE(check_nest(n));
}

TEST_CASE("over random nests, those made of loops over whole buffers are sound [loops.check.random]") {
    const bool holds = rc::check([] { RC_ASSERT(check_nest(nests::random_nest()).has_value()); });
    CHECK(holds);
}

TEST_CASE("a call gives windows that fit, and writes what it may [loops.check.calls]") {
    const std::string add = "intrinsic add { input a: float32[2] output b: float32[2] for k < 2 { b[k] += a[k] } } ";
    CHECK(fault_of(add + "for i < 2 { call add(x[2*i], y[2*i]) }").empty());
    CHECK(fault_of(add + "for i < 3 { if 0 <= i < 3 { call add(x[i], y[2 - i]) } }").empty());
    CHECK(fault_of(add + "for i < 3 { if 0 <= 2*i < 3 { call add(x[2*i], y[0]) } }").empty());
    CHECK(says(add + "for i < 4 { call add(x[i], y[0]) }", "index 0 of 'x' may leave its extent 4"));
    CHECK(fault_of(add + "for i < 4 { if 0 <= 2*i < 4 { call add(x[2*i], y[0]) } }").empty());
    CHECK(says(add + "for i < 4 { if 0 <= 2*i < 5 { call add(x[2*i], y[0]) } }", "may leave"));
    CHECK(says(add + "call add(x[0])", "has 1 buffers and 0 numbers where it takes 2 and 0"));
    CHECK(says(add + "call add(x[0], y[0], 3)", "has 2 buffers and 1 numbers"));
    CHECK(says(add + "call add(x[0], x[2])", "it writes its input 'x'"));
    CHECK(says(add + "call add(y[0], y[2])", "gives 'y' twice, though it writes it"));
    CHECK(says(add + "stack s: float64[2] { call add(s[0], y[2]) }", "gives 's' for 'a', which has other elements or more axes"));
    CHECK(says(add + "stack s: float32[2] strides [2] { s[0] = 0.0 s[1] = 0.0 call add(s[0], y[2]) }", "stand next to each other"));
    CHECK(says("external f(n) { output b: float32[2] } call f(y[0], i)", "there is no loop over 'i'"));
    CHECK(fault_of("external f(n) { output b: float32[2] } for i < 2 { call f(y[i], i) }").empty());
}

TEST_CASE("a window keeps to its buffer along the axes and by the steps that it names [loops.check.calls]") {
    const auto says = [](const std::string& call, const std::string& what) {
        const auto made = parse_nest(
            "nest n { input x: float32[8] input m: float32[3, 4, 5] output y: float32[4, 6] "
            "intrinsic f { input a: float32[4, 3] strides [9, 9] output b: float32[4, 3] strides [9, 9] "
            "for i < 4 { for j < 3 { b[i, j] = a[i, j] } } } for t < 2 { " +
            call + " } }");
        CAPTURE(call);
        CHECK((made ? "" : made.failure().message).find(what) != std::string::npos);
        CHECK(made.has_value() == what.empty());
    };
    says("call f(m[0, 0, t] along [1, 0], y[0, t] along [0, 1 by 2])", "");
    says("call f(x[t] along [0, 0], y[0, 0])", "");
    says("call f(m[0, 0, t] along [1, 2], y[0, 0])", "");
    says("call f(m[0, t, 0] along [1, 2], y[0, 0])", "index 1 of 'm' may leave its extent 4");
    says("call f(m[0, 0, t] along [1, 2 by 2], y[0, 0])", "index 2 of 'm' may leave its extent 5");
    says("call f(x[t] along [0, 0 by 2], y[0, 0])", "index 0 of 'x' may leave its extent 8");
    says("call f(x[t], y[0, 0])", "gives 'x' for 'a', which has other elements or more axes");
    says("call f(m[0, 0] along [1, 2], y[0, 0])", "an element of 'm' has 2 indices where the buffer has 3 extents");
    says("call f(m[0, 0, 0] along [1], y[0, 0])", "the window of 'm' that is given for 'a' names 1 axes where 2 are taken");
    says("call f(m[0, 0, 0] along [1, 3], y[0, 0])", "names axis 3, which the buffer has not");
    says("call f(m[0, 0, 0] along [1, 2 by 0], y[0, 0])", "has steps of 0 elements along axis 2; give one from 1 to less than its extent");
    says("call f(m[0, 0, 0] along [1, 2 by 5], y[0, 0])", "has steps of 5 elements along axis 2");
    says("call f(m[0, 0, 0], y[0, 0] along [0, 0])", "the window of 'y' that is given for 'b' names axis 0 twice, though it is written");
}

TEST_CASE("elements that a function wants next to each other are so along the axis that is given [loops.check.calls]") {
    const std::string f = "intrinsic f { input a: float32[2] output b: float32[2] for i < 2 { b[i] = a[i] } } ";
    const std::string m = "stack m: float32[2, 4] strides [1, 2] { for i < 2 { for j < 4 { m[i, j] = 0.0 } } ";
    CHECK(fault_of(f + m + "call f(m[0, 3] along [0], y[0]) }").empty());
    CHECK(says(f + m + "call f(m[0, 2], y[0]) }", "whose elements along axis 0 stand next to each other"));
    CHECK(says(f + "call f(x[0] along [0 by 2], y[0])", "whose elements along axis 0 stand next to each other"));
}

TEST_CASE("a function is sound, has a name of its own and no memory but the stack [loops.check.functions]") {
    CHECK(says("intrinsic f { output b: float32[2] b[2] = 0.0 } ", "its function 'f' is not sound: loop nest 'f': index 0 of 'b'"));
    CHECK(says("intrinsic f { output b: float32[1] scratch s: float32[1] { b[0] = 0.0 } } ", "memory of its own, 's'"));
    CHECK(says("intrinsic x { output b: float32[1] b[0] = 0.0 } ", "'x' needs a name of its own"));
    CHECK(says("intrinsic n { output b: float32[1] b[0] = 0.0 } ", "'n' needs a name of its own"));
    loop_nest n = nests::parsed(nests::by_tiles);
    n.functions.front().functions.push_back(n.functions.front());
    CHECK(check_nest(n).failure().message.find("has functions itself") != std::string::npos);
    n = nests::parsed(nests::by_tiles);
    n.functions.clear();
    CHECK(check_nest(n).failure().message.find("a function is called that there is not") != std::string::npos);
}

TEST_CASE("rounds whose calls touch the same elements may not run at one time [loops.check.calls]") {
    const std::string add = "intrinsic add { input a: float32[2] output b: float32[2] for k < 2 { b[k] += a[k] } } ";
    CHECK(fault_of(add + "for i < 2 parallel { call add(x[2*i], y[2*i]) }").empty());
    CHECK(says(add + "for i < 2 parallel { call add(x[i], y[i]) }", "its rounds share elements of 'y'"));
}

TEST_CASE("what is said to stay in its extent does, wherever the bounds around it hold [loops.check.guards]") {
    std::size_t sound = 0;
    const auto try_one = [&] {
        const auto some = [](std::int64_t low, std::int64_t high) { return *rc::gen::inRange(low, high); };
        nest_builder b("n");
        const std::int64_t extent = some(1, 12), rounds[] = {some(1, 6), some(1, 6)};
        const buffer_id y = b.buffer(buffer_scope::output, "y", element_type::float32, {extent});
        const variable_id i = b.variable("i"), j = b.variable("j");
        const auto sum = [&] { return affine::of(i, some(-3, 4)) + affine::of(j, some(-3, 4)) + affine(some(-4, 5)); };
        const affine index = sum();
        std::vector<affine_bound> bounds;
        for (int k = 0; k < 2; ++k) {
            const std::int64_t low = some(-3, 4);
            // Often a part of the index, or all of it.
            const affine value = *rc::gen::arbitrary<bool>() ? sum() : index - affine::of(j, some(0, 2) * index.factor_of(j));
            bounds.push_back({low, value, low + some(0, 8)});
        }
        const statement_id guarded = b.guard(bounds, b.store(y, {index}, b.number(0)));
        const statement_id root = b.loop(i, rounds[0], b.loop(j, rounds[1], guarded));
        const loop_nest n = std::move(b).finish(root);
        if (!check_nest(n)) return;
        ++sound;
        for (std::int64_t p = 0; p < rounds[0]; ++p)
            for (std::int64_t q = 0; q < rounds[1]; ++q) {
                const std::int64_t at[] = {p, q};
                if (bounds[0].holds(at) && bounds[1].holds(at)) RC_ASSERT((index.at(at) >= 0 && index.at(at) < extent));
            }
    };
    const bool holds = rc::check([&] {
        for (int k = 0; k < 20; ++k) try_one();
    });
    CHECK(holds);
    CHECK(sound > 50);
}
