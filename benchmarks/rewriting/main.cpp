// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
//
// How fast rules are applied to a program until none applies.
//
//     build/benchmarks/rewriting                               programs of 10^4, 10^5 and 10^6 nodes, beside MLIR's canonicaliser
//     build/benchmarks/rewriting --nodes 1000000 --repeats 5 --rival none
//
// Every third node is one at which one of four rules fires: relu(relu(x)) and neg(neg(x)) lose a node or two, mul(x, 2) becomes add(x, x),
// and add(x, neg(y)) becomes sub(x, y). One thread. Figures are processor time, the least of all repeats and, in brackets, the median and
// the worst. Parts:
//
//     rewritten   all of `rewrite`: ns for each rewrite that was applied, and rewrites a second
//     visited     the same for the program that comes of it, in which nothing applies: ns for each node. Taking up the program and writing
//                 it anew are among both.
//     set up      of that, a `working_graph` that is made and finished with nothing between
//
// Rival: `mlir`, the canonicaliser of mlir-opt on a program as large, of integers, in which as many pairs of operators are rewritten. Its
// rules are others, so that the figure gives the order alone; it is a time by the clock, once.
// Exit status: 0; 1 where not each rewrite was applied; 2 for bad arguments.
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include <inlay/ir/ir_builder.hpp>
#include <inlay/pattern/dsl/dsl_guard.hpp>
#include <inlay/rewrite/rewrite.hpp>

#include "../matching/thread_time.hpp"
#include "../search/random.hpp"
#include "rival.hpp"

namespace {

using bench::spread;
using bench::timed;
using inlay::node_id;
using text = std::string;

struct arguments {
    std::vector<std::size_t> nodes = {10'000, 100'000, 1'000'000};
    std::size_t repeats = 5;
    bool rival = true;
};

[[noreturn]] void fail(const text& sentence) {
    std::fprintf(stderr, "rewriting: %s\n", sentence.c_str());
    std::exit(2);
}

std::size_t number(const text& option, std::string_view word, std::size_t most) {
    std::size_t value = 0;
    const auto [end, fault] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (fault != std::errc{} || end != word.data() + word.size() || value < 1 || value > most)
        fail(option + " has \"" + text(word) + "\", which is no whole number from 1 to " + std::to_string(most) + "; give one.");
    return value;
}

arguments read_arguments(int count, char** given) {
    arguments made;
    for (int i = 1; i < count; ++i) {
        const text option = given[i];
        if (i + 1 == count) fail(option + " stands at the end, where a value was expected; give one.");
        const std::string_view value = given[++i];
        if (option == "--nodes") {
            made.nodes.clear();
            for (std::size_t from = 0; from <= value.size();) {
                const std::size_t comma = std::min(value.find(',', from), value.size());
                made.nodes.push_back(number(option, value.substr(from, comma - from), 100'000'000));
                from = comma + 1;
            }
        } else if (option == "--repeats") {
            made.repeats = number(option, value, 1000);
        } else if (option == "--rival") {
            if (value != "none" && value != "mlir") fail("--rival has \"" + text(value) + "\"; give mlir or none.");
            made.rival = value == "mlir";
        } else {
            fail("\"" + option + "\" is no option; see the head of benchmarks/rewriting/main.cpp.");
        }
    }
    return made;
}

/// A program of about so many nodes, and how many rewrites it takes.
struct program {
    inlay::ir_module module;
    std::size_t rewrites = 0;
};
program make_program(std::size_t nodes) {
    const inlay::node_type type = inlay::tensor_type(inlay::element_type::float32, {inlay::extent(1), inlay::extent(64)});
    bench::random_stream random(1);
    inlay::ir_builder b;
    b.open_block();
    const node_id input = b.input("x", type), two = b.constant(inlay::tensor::scalar(2.0f));
    const auto call = [&](std::string_view op, std::initializer_list<node_id> operands) { return b.call(op, operands, {}, type); };
    std::size_t rewrites = 0;
    node_id x = input, before = input;
    for (std::size_t made = 2; made < nodes; made += 3, ++rewrites) {
        const node_id from = x;
        switch (random.below(4)) {
            case 0:
                x = call("onnx.Relu", {call("onnx.Relu", {x})});
                break;
            case 1:
                x = call("onnx.Neg", {call("onnx.Neg", {x})});
                break;
            case 2:
                x = call("onnx.Mul", {call("onnx.Exp", {x}), two});
                break;
            default:
                x = call("onnx.Add", {x, call("onnx.Neg", {before})});
                break;
        }
        x = call(random.below(2) == 0 ? "onnx.Tanh" : "onnx.Sigmoid", {x});
        before = from;
    }
    b.declare(b.function(std::span(&input, 1), x, "main"));
    return {b.finish(), rewrites};
}

constexpr auto book = [] {
    using namespace inlay::dsl;
    return inlay::rule_book(inlay::rule<"relu_twice">(op<"onnx.Relu">(as<"r">(op<"onnx.Relu">)), as<"r">),
                            inlay::rule<"neg_twice">(op<"onnx.Neg">(op<"onnx.Neg">(as<"x">)), as<"x">),
                            inlay::rule<"double">(commutative<"onnx.Mul">(as<"x">, literal<2>), op<"onnx.Add">(as<"x">, as<"x">)),
                            inlay::rule<"add_neg">(op<"onnx.Add">(as<"x">, op<"onnx.Neg">(as<"y">)), op<"onnx.Sub">(as<"x">, as<"y">)));
}();

bool measure(const arguments& asked, std::size_t nodes) {
    const program p = make_program(nodes);
    std::size_t fired = 0;
    const spread rewriting = timed(asked.repeats, p.rewrites, [&] { fired = inlay::rewrite(p.module, book).report.fired; });
    const inlay::ir_module fixed = inlay::rewrite(p.module, book).graph;
    std::size_t again = 0, kept = 0;
    const spread visiting = timed(asked.repeats, fixed.size(), [&] { again += inlay::rewrite(fixed, book).report.fired; });
    const spread around = timed(asked.repeats, fixed.size(), [&] { kept = inlay::working_graph<inlay::ir_module>(fixed).finish().size(); });
    std::printf("%zu nodes, %zu rewrites, %zu nodes left\n", p.module.size(), fired, fixed.size());
    std::printf("    rewritten %8.1f ns  (%.1f, %.1f), %.2f million a second\n", rewriting.least, rewriting.median, rewriting.worst,
                1e3 / rewriting.least);
    std::printf("    visited   %8.1f ns  (%.1f, %.1f)\n", visiting.least, visiting.median, visiting.worst);
    std::printf("    set up    %8.1f ns  (%.1f, %.1f)\n", around.least, around.median, around.worst);
    const bool fine = fired == p.rewrites && again == 0 && kept == fixed.size();
    if (!fine) std::printf("    %zu rewrites were expected, and none in what came of them\n", p.rewrites);
    if (asked.rival) {
        const bench::rival_time r = bench::run_mlir(nodes);
        if (r.ms < 0)
            std::printf("    mlir %s\n", r.note.c_str());
        else
            std::printf("    mlir      %8.1f ns  for each of %zu rewrites in %zu operators, %.2f ms\n",
                        r.ms * 1e6 / static_cast<double>(r.rewrites), r.rewrites, r.operators, r.ms);
    }
    std::fflush(stdout);
    return fine;
}

}  // namespace

int main(int count, char** given) {
    const arguments asked = read_arguments(count, given);
    bool fine = true;
    for (const std::size_t nodes : asked.nodes) fine = measure(asked, nodes) && fine;
    return fine ? 0 : 1;
}
