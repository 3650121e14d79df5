// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/loops/schedule/replace_by_call.hpp>

#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <inlay/loops/nest/nest_text.hpp>
#include <inlay/loops/run/run_nest.hpp>
#include <inlay/loops/schedule/schedule.hpp>

#include "../compiled_nest.hpp"
#include "../nests.hpp"

using namespace inlay;

namespace {

/// A product of 16 x 4 and 4 x 16 that is added to what is there.
const std::string mma = R"(nest mma {
    input x: float32[16, 4]
    input y: float32[4, 16]
    output z: float32[16, 16]
    for i < 16 { for j < 16 { for k < 4 { z[i, j] += x[i, k] * y[k, j] } } }
})";

const std::string product = R"(nest product {
    input a: float32[32, 12]
    input b: float32[12, 48]
    output c: float32[32, 48]
    for i < 32 { for j < 48 { c[i, j] = 0.5 } }
    for m < 32 { for n < 48 { for k < 12 { c[m, n] += a[m, k] * b[k, n] } } }
})";

loop_schedule tiles() {
    return loop_schedule()
        .split("k", 4, "k_tile", "p")
        .tile({"m", "n"}, {16, 16}, {"m_tile", "n_tile"}, {"q", "r"})
        .reorder({"m_tile", "n_tile", "k_tile", "q", "r", "p"});
}

std::string fault_of(const std::string& text, const std::string& function, const std::string& loop, loop_schedule how = {}) {
    const auto made = scheduled(nests::parsed(text), how.call(loop, nests::parsed(function)));
    return made ? "" : made.failure().message;
}

/// Whether a loop over i of 8 rounds that does so is refused as a function whose loop over i of 8 does this, for that reason.
void refuses(const std::string& has, const std::string& means, const std::string& reason) {
    const std::string nest =
        "nest n { input a: float32[8, 8] input b: float32[8, 8] input w: int32[8] output c: float32[8, 8] "
        "output d: float32[8] for o < 8 { for i < 8 " +
        has + " } }";
    const std::string function = "nest f { input x: float32[8] input y: float32[8] output z: float32[8] " + means + " }";
    CAPTURE(has);
    CHECK(fault_of(nest, function, "i") == "step 1 of the schedule: the loop over 'i' does not do what 'f' does: " + reason);
}

/// Whether what is left of a nest reads back, and computes what it did.
void same(const loop_nest& before, const loop_nest& after) {
    const auto inputs = nests::random_inputs(before);
    const auto meant = run_nest(before, inputs), got = run_nest(after, inputs);
    RC_ASSERT((meant.has_value() && got.has_value()));
    // The numbers are such that sums are exact in any order.
    if (meant->front().content() != got->front().content()) RC_FAIL(to_text(before) + to_text(after));
    const auto again = parse_nest(to_text(after));
    RC_ASSERT(again.has_value());
    RC_ASSERT(*again == after);
}

std::string product_text(const std::string& name, const std::string& buffers, const std::vector<std::string>& loops,
                         const std::string& statement) {
    std::string text = "nest " + name + " { " + buffers;
    for (const std::string& one : loops) text += " for " + one + " {";
    return text + " " + statement + std::string(loops.size() + 1, '}');
}

}  // namespace

TEST_CASE("a tile of a product becomes a call that gives its windows [loops.schedule.call]") {
    const loop_nest n = nests::parsed(product);
    const auto made = scheduled(n, tiles().call("q", nests::parsed(mma)));
    REQUIRE(made);
    const std::string text = to_text(*made);
    CHECK(text.find("intrinsic mma {") != std::string::npos);
    CHECK(text.find(R"(            for k_tile < 3 {
                call mma(a[16*m_tile, 4*k_tile], b[4*k_tile, 16*n_tile], c[16*m_tile, 16*n_tile])
            })") != std::string::npos);
    CHECK(*parse_nest(text) == *made);
    const std::vector<tensor> inputs = nests::some_inputs(n);
    const auto meant = run_nest(n, inputs);
    CHECK(run_nest(*made, inputs)->front().content() == meant->front().content());

    const printed_call own{
        "mma", "mma_16x16x4($0, $0.0, $1, $1.0, $2, $2.0)",
        "static void mma_16x16x4(const float* x, long sx, const float* y, long sy, float* z, long sz) {\n"
        "    for (int k = 0; k < 4; ++k)\n        for (int i = 0; i < 16; ++i)\n            for (int j = 0; j < 16; ++j)\n"
        "                z[i * sz + j] += x[i * sx + k] * y[k * sy + j];\n}\n"};
    for (const std::vector<printed_call>& calls : {std::vector<printed_call>{}, {own}}) {
        const auto c = to_c(*made, calls);
        REQUIRE(c);
        CHECK((c->text.find("mma_16x16x4(&a[192 * m_tile + 4 * k_tile], 12, ") != std::string::npos) == !calls.empty());
        const std::vector<tensor> got = nests::by_compiler(n, *c, inputs);
        REQUIRE(got.size() == 1);
        CHECK(got[0].content() == meant->front().content());
    }
}

TEST_CASE("windows run along the axes that the loops follow, by their steps [loops.schedule.call]") {
    // A product of places and channels in a convolution whose rows are taken every second place.
    const loop_nest n = nests::parsed(R"(nest conv {
        input x: float32[8, 9, 17]
        input w: float32[16, 8, 3, 3]
        output y: float32[16, 4, 8]
        for h < 4 { for kh < 3 { for kw < 3 { for c < 8 { for v < 8 { for f < 16 {
            y[f, h, v] += x[c, 2*h + kh, 2*v + kw] * w[f, c, kh, kw]
        } } } } } }
    })");
    const loop_nest outer = nests::parsed(R"(nest outer {
        input x: float32[8, 4] strides [99, 2]
        input y: float32[4, 16] strides [99, 2]
        output z: float32[8, 16] strides [99, 2]
        for k < 4 { for i < 8 { for j < 16 { z[i, j] += x[i, k] * y[k, j] } } }
    })");
    const auto made = scheduled(n, loop_schedule().split("c", 4, "c_tile", "p").call("p", outer));
    REQUIRE(made);
    CHECK(to_text(*made).find("call outer(x[4*c_tile, 2*h + kh, kw] along [2 by 2, 0], w[0, 4*c_tile, kh, kw] along [1, 0], "
                              "y[0, h, 0] along [2, 0])") != std::string::npos);
    CHECK(*parse_nest(to_text(*made)) == *made);
    const std::vector<tensor> inputs = nests::some_inputs(n);
    const auto meant = run_nest(n, inputs);
    CHECK(run_nest(*made, inputs)->front().content() == meant->front().content());
    const printed_call own{
        "outer", "outer($0, $0.0, $0.1, $1, $1.0, $1.1, $2, $2.0, $2.1)",
        "static void outer(const float* x, long x0, long x1, const float* y, long y0, long y1, float* z, long z0, long z1) {\n"
        "    for (int k = 0; k < 4; ++k)\n        for (int i = 0; i < 8; ++i)\n            for (int j = 0; j < 16; ++j)\n"
        "                z[i * z0 + j * z1] += x[i * x0 + k * x1] * y[k * y0 + j * y1];\n}\n"};
    for (const std::vector<printed_call>& calls : {std::vector<printed_call>{}, {own}}) {
        const auto c = to_c(*made, calls);
        REQUIRE(c);
        CHECK((c->text.find(", 2, 153, &w[") != std::string::npos) == !calls.empty());
        CHECK(nests::by_compiler(n, *c, inputs).at(0).content() == meant->front().content());
    }
    // One axis of a buffer may be that of two axes of a window, which is read alone.
    const auto rows = scheduled(nests::parsed("nest n { input x: float32[20] input w: float32[3] output y: float32[18] "
                                              "for i < 18 { for k < 3 { y[i] += x[i + k] * w[k] } } }"),
                                loop_schedule().call("i", nests::parsed("nest f { input a: float32[18, 3] strides [9, 9] "
                                                                        "input b: float32[3] output z: float32[18] "
                                                                        "for i < 18 { for k < 3 { z[i] += a[i, k] * b[k] } } }")));
    REQUIRE(rows);
    CHECK(to_text(*rows).find("call f(x[0] along [0, 0], w[0], y[0])") != std::string::npos);
    const std::vector<tensor> row = nests::some_inputs(*rows);
    std::vector<float> sums(18);
    for (std::size_t i = 0; i < 18; ++i)
        for (std::size_t k = 0; k < 3; ++k) sums[i] += row[0].as<float>()[i + k] * row[1].as<float>()[k];
    const auto got = run_nest(*rows, row);
    REQUIRE(got);
    for (std::size_t i = 0; i < 18; ++i) CHECK(got->front().as<float>()[i] == sums[i]);
}

TEST_CASE("a loop that does something else is refused, and what differs is said [loops.schedule.call]") {
    const std::string means = "for i < 8 { z[i] += x[i] * y[i] }";
    refuses("{ d[i] = a[o, i] * b[o, i] }", means, "it has a store to 'd' where 'f' has an update of 'z' by 'add'");
    refuses("{ d[i] max= a[o, i] * b[o, i] }", means, "it has an update of 'd' by 'max' where 'f' has an update of 'z' by 'add'");
    refuses("{ d[i] += a[o, i] + b[o, i] }", means, "it has 'add' where 'f' has 'multiply'");
    refuses("{ d[i] += a[o, i] }", means, "it has an element of 'a' where 'f' has 'multiply'");
    refuses("{ d[i] += a[o, i] * 2.0 }", means, "it has the number 2.0 of float32 where 'f' has an element of 'y'");
    refuses("{ d[i] += a[o, i] * b[i, o] c[o, i] = 1.0 }", means, "it has a store to 'c' where 'f' has nothing more");
    refuses("{ d[i] += a[o, i] * b[o, 7 - o] }", means, "it touches 'b[o, -o + 7]' where 'f' touches 'y[i]'");
    refuses("{ c[i, i] += a[o, i] * b[o, i] }", means, "it touches 'c[i, i]' where 'f' touches 'z[i]'");
    refuses("{ if 1 <= i < 8 { d[i] += a[o, i] * b[o, i] } }", means,
            "it stands within bounds, which 'f' has not; split loops by factors of their extents, or pad");
    refuses("{ d[i] += within(1 <= i < 8, a[o, i], 0.0) * b[o, i] }", means,
            "it has a value within bounds where 'f' has an element of 'x'");
    refuses("{ if 1 <= i < 8 { d[i] = a[o, i] * b[o, i] } }", "for i < 8 { if 2 <= i < 8 { z[i] = x[i] * y[i] } }",
            "it stands within other bounds than 'f'");
    refuses("{ stack t: float32[2] { t[0] = a[o, i] d[i] = t[0] + b[o, i] } }",
            "for i < 8 { stack t: float32[1] { t[0] = x[i] z[i] = t[0] + y[i] } }", "its buffer 't' has other extents than 't' of 'f'");
    refuses("{ stack t: float32[1] { t[0] = a[o, i] d[i] = t[0] + b[o, i] } }", means,
            "it has a buffer of its own, 't' where 'f' has an update of 'z' by 'add'");
    refuses("{ d[i] = a[o, i] + b[o, i] }", "for i < 8 { z[i] = x[i] + x[i] }",
            "it touches 'b' where 'f' touches 'x', which is 'a' elsewhere");
    refuses("{ d[0] = a[o, i] - a[o, 0] }", "for i < 8 { z[0] = x[i] - x[1] }",
            "its 'a' begins at [o, 0] and at [o, -1], and is one window 'x' of 'f'");
    refuses("{ d[i] = float32(w[i]) }", "for i < 8 { z[i] = float32(float64(y[i])) }",
            "it has an element of 'w' where 'f' has a cast to float64");
    refuses("{ d[i] = float32(w[i]) }", "for i < 8 { z[i] = float32(y[i]) }", "its 'w' holds int32 where 'y' of 'f' holds float32");
    refuses("{ d[i] = float32(index(i + o)) }", "for i < 8 { z[i] = float32(index(i)) }",
            "it has the index o + i as a value where 'f' has the index i as a value");
    refuses("{ d[i] = a[o, i] * -0.0 }", "for i < 8 { z[i] = x[i] * 0.0 }",
            "it has the number -0.0 of float32 where 'f' has the number 0.0 of float32");
    refuses("{ d[i] = a[o, i] }", "for i < 8 { z[i] = x[i] }", "nothing says what to give for 'y', which 'f' does not touch");
    refuses("{ d[i] = a[o, i] }", "for i < 8 { for j < 8 { z[i] = x[i] } }",
            "it has a store to 'd' where 'f' has a loop over 'j' of 8 rounds");
    refuses("thread_x { d[i] = a[o, i] * b[o, i] }", "for i < 8 { z[i] = x[i] * y[i] }",
            "its loop over 'i' is thread_x where that of 'f' is serial");
    CHECK(fault_of(product, mma, "m") ==
          "step 1 of the schedule: the loop over 'm' does not do what 'mma' does: it has a loop over 'm' of 32 "
          "rounds where 'mma' has a loop over 'i' of 16 rounds");
    CHECK(fault_of("nest n { input a: float32[] output c: float32[8] for i < 8 { c[i] = a[] } }",
                   "nest f { input x: float32[8] output z: float32[8] for i < 8 { z[i] = x[i] } }", "i")
              .find("its 'a' has no axes, as 'x' of 'f' has") != std::string::npos);
    // What is written is written once: no window of it folds.
    CHECK(fault_of("nest n { output c: float32[20] for i < 8 { for j < 8 { c[i + j] += 1.0 } } }",
                   "nest f { output z: float32[8, 8] strides [9, 9] for i < 8 { for j < 8 { z[i, j] += 1.0 } } }", "i")
              .find("the window of 'c' that is given for 'z' names axis 0 twice, though it is written") != std::string::npos);
    CHECK(fault_of("nest n { input a: float32[8] output c: float32[8] for i < 8 { c[i] = a[7 - i] } }",
                   "nest f { input x: float32[8] strides [2] output z: float32[8] for i < 8 { z[i] = x[i] } }", "i")
              .find("has steps of -1 elements along axis 0; give one from 1 to less than its extent") != std::string::npos);
    // Ragged tiles, elements that do not stand next to each other, one buffer for two parameters, and loops that are a call already.
    CHECK(fault_of("nest n { input a: float32[9] output c: float32[9] for i < 9 { c[i] = a[i] } }",
                   "nest f { input x: float32[4] output z: float32[4] for i < 4 { z[i] = x[i] } }", "in",
                   loop_schedule().split("i", 4, "over", "in"))
              .find("'f' has not; split loops by factors") != std::string::npos);
    CHECK(fault_of("nest n { input a: float32[8, 2] output c: float32[8] for i < 8 { c[i] = a[i, 1] } }",
                   "nest f { input x: float32[8] output z: float32[8] for i < 8 { z[i] = x[i] } }", "i")
              .find("a call of 'f' gives 'a' for 'x', whose elements along axis 0 stand next to each other") != std::string::npos);
    CHECK(fault_of("nest n { output c: float32[8] for i < 8 { c[i] = c[i] + 1.0 } }",
                   "nest f { input x: float32[8] output z: float32[8] for i < 8 { z[i] = x[i] + 1.0 } }", "i")
              .find("a call of 'f' gives 'c' twice, though it writes it") != std::string::npos);
    CHECK(fault_of(nests::by_tiles, "nest f { input x: float32[1] output z: float32[1] for i < 4 { z[0] = x[0] } }", "k")
              .find("it has a call of 'mma' where 'f' has a store to 'z'") != std::string::npos);
}

TEST_CASE("a function that is unknown, unsound or called otherwise is no call of a loop [loops.schedule.call]") {
    const loop_nest n = nests::parsed(product);
    const auto fault = [&](loop_schedule how) { return scheduled(n, std::move(how)).failure().message; };
    loop_nest unknown = nests::parsed(mma);
    unknown.statements.clear();
    CHECK(fault(tiles().call("q", unknown)).find("nobody knows what 'mma' means, so that no loop can be held to it") != std::string::npos);
    loop_nest unsound = nests::parsed(mma);
    unsound.buffers[0].extents[0] = 15;
    CHECK(fault(tiles().call("q", unsound)).find("'x' may leave its extent 15") != std::string::npos);
    loop_nest taken = nests::parsed(mma);
    taken.name = "a";
    CHECK(fault(tiles().call("q", taken)).find("its function 'a' needs a name of its own") != std::string::npos);
    CHECK(fault(tiles().call("z", nests::parsed(mma))).find("has no loop over 'z'") != std::string::npos);
    const loop_nest zero = nests::parsed("nest zero { output z: float32[16] for i < 16 { z[i] = 0.5 } }");
    loop_nest other = zero;
    other.buffers[0].name = "y";
    const loop_schedule once = tiles().call("q", nests::parsed(mma)).split("j", 16, "j_tile", "s").call("s", zero);
    // A nest calls several functions, one of them by all, and another one of its name by none.
    const auto both = scheduled(n, once);
    REQUIRE(both);
    CHECK(both->functions.size() == 2);
    const std::vector<tensor> inputs = nests::some_inputs(n);
    CHECK(run_nest(n, inputs)->front().content() == run_nest(*both, inputs)->front().content());
    const auto twice =
        scheduled(nests::parsed("nest n { output c: float32[3, 16] for i < 16 { c[1, i] = 0.5 } for j < 16 { c[2, j] = 0.5 } }"),
                  loop_schedule().call("i", zero).call("j", zero));
    REQUIRE(twice);
    CHECK(twice->functions.size() == 1);
    CHECK(fault(loop_schedule(once).call("j_tile", other)).find("calls another function 'zero'; give them different names") !=
          std::string::npos);
}

TEST_CASE("over random tilings of random products, the call computes what the loops do [loops.schedule.call]") {
    const bool holds = rc::check([] {
        // Extents of tiles, how many there are, and the order of the loops in one.
        std::vector<std::int64_t> tile, count;
        for (int i = 0; i < 3; ++i) {
            tile.push_back(*rc::gen::inRange<std::int64_t>(1, 5));
            count.push_back(*rc::gen::inRange<std::int64_t>(1, 4));
        }
        const std::vector<std::string> name{"m", "n", "k"};
        std::vector<std::size_t> order{0, 1, 2}, outer = order;
        for (auto* list : {&order, &outer})
            for (std::size_t i = 2; i > 0; --i) std::swap((*list)[i], (*list)[*rc::gen::inRange<std::size_t>(0, i + 1)]);
        const auto extent = [&](std::size_t i) { return std::to_string(tile[i] * count[i]); };
        const auto both = [](const std::string& a, const std::string& b, bool turned) {
            return "[" + (turned ? b + ", " + a : a + ", " + b) + "]";
        };
        const bool at = *rc::gen::arbitrary<bool>(), bt = *rc::gen::arbitrary<bool>(), ct = *rc::gen::arbitrary<bool>();
        std::vector<std::string> loops, own;
        for (std::size_t i = 0; i < 3; ++i) loops.push_back(name[i] + " < " + extent(i));
        for (const std::size_t i : order) own.push_back(name[i] + " < " + std::to_string(tile[i]));
        const loop_nest n =
            nests::parsed(product_text("product",
                                       "input a: float32" + both(extent(0), extent(2), at) + " input b: float32" +
                                           both(extent(2), extent(1), bt) + " output c: float32" + both(extent(0), extent(1), ct),
                                       loops, "c" + both("m", "n", ct) + " += a" + both("m", "k", at) + " * b" + both("k", "n", bt)));
        const auto window = [&](std::size_t a, std::size_t b) {
            return "float32" + both(std::to_string(tile[a]), std::to_string(tile[b]), false) + " strides [7, 3] ";
        };
        const loop_nest function =
            nests::parsed(product_text("tile", "input x: " + window(0, 2) + "input y: " + window(2, 1) + "output z: " + window(0, 1), own,
                                       "z[m, n] += x[m, k] * y[k, n]"));
        loop_schedule how;
        std::vector<std::string> wanted;
        for (const std::size_t i : outer) wanted.push_back(name[i] + "_over");
        for (const std::size_t i : order) wanted.push_back(name[i] + "_in");
        for (std::size_t i = 0; i < 3; ++i) how.split(name[i], tile[i], name[i] + "_over", name[i] + "_in");
        const auto made = scheduled(n, how.reorder(wanted).call(wanted[3], function));
        if (!made) RC_FAIL(made.failure().message);
        RC_ASSERT(made->functions.size() == 1u);
        same(n, *made);
    });
    CHECK(holds);
}

TEST_CASE("over random tilings of random convolutions, the call computes what the loops do [loops.schedule.call]") {
    const bool holds = rc::check([] {
        const auto some = [](std::int64_t low, std::int64_t high) { return *rc::gen::inRange<std::int64_t>(low, high); };
        const auto text = [](std::int64_t i) { return std::to_string(i); };
        const std::int64_t f = some(1, 5), c = some(1, 4), v = some(1, 5), fs = some(1, 3), cs = some(1, 3), vs = some(1, 3);
        const std::int64_t rows = some(1, 3), kernel = some(1, 4), step = some(1, 4), apart = some(1, 3);
        const bool last = *rc::gen::arbitrary<bool>();
        const auto three = [&](const std::string& channel, const std::string& row, const std::string& column) {
            return "[" + (last ? row + ", " + column + ", " + channel : channel + ", " + row + ", " + column) + "]";
        };
        const std::int64_t width = step * (v * vs - 1) + apart * (kernel - 1) + 1, height = rows + kernel - 1;
        const loop_nest n = nests::parsed(product_text(
            "conv",
            "input x: float32" + three(text(c * cs), text(height), text(width)) + " input w: float32[" + text(f * fs) + ", " +
                text(kernel) + ", " + text(kernel) + ", " + text(c * cs) + "] output y: float32" +
                three(text(f * fs), text(rows), text(v * vs)),
            {"f < " + text(f * fs), "h < " + text(rows), "v < " + text(v * vs), "kh < " + text(kernel), "kw < " + text(kernel),
             "c < " + text(c * cs)},
            "y" + three("f", "h", "v") + " += w[f, kh, kw, c] * x" + three("c", "h + kh", text(step) + "*v + " + text(apart) + "*kw")));
        // The columns of the kernel go into the call, or stay outside of it.
        const bool takes_columns = *rc::gen::arbitrary<bool>();
        const std::string own = takes_columns ? "kw < " + text(kernel) : "one < 1";
        const std::string k = takes_columns ? "kw" : "one", extent = takes_columns ? text(kernel) : "1";
        const loop_nest function = nests::parsed(product_text(
            "tile",
            "input x: float32[" + text(f) + ", " + extent + ", " + text(c) + "] strides [9, 5, 3] input y: float32[" + text(c) + ", " +
                text(v) + ", " + extent + "] strides [9, 5, 3] output z: float32[" + text(f) + ", " + text(v) + "] strides [9, 5]",
            {"v < " + text(v), "f < " + text(f), "c < " + text(c), own}, "z[f, v] += x[f, " + k + ", c] * y[c, v, " + k + "]"));
        loop_schedule how;
        how.split("f", f, "fo", "fi").split("c", c, "co", "ci").split("v", v, "vo", "vi");
        if (!takes_columns) how.split("kw", 1, "kwo", "kwi");
        const std::string inner = takes_columns ? "kw" : "kwi";
        std::vector<std::string> order{"h", "co", "fo", "kh", "vo", "vi", "fi", "ci", inner};
        if (!takes_columns) order.insert(order.begin(), "kwo");
        const auto made = scheduled(n, how.reorder(order).call("vi", function));
        if (!made) RC_FAIL(made.failure().message + to_text(n) + to_text(function));
        same(n, *made);
    });
    CHECK(holds);
}
