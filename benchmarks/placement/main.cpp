// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
//
// How fast devices are planned, module to module, without reading or printing text.
//
//     build/benchmarks/placement                        programs of 10^3 to 10^6 nodes, and functions nested 1 to 1,000 deep
//     build/benchmarks/placement --nodes 1000000 --repeats 9
//
// Programs: `chain`, sums and products of the last two values, no annotation; `noted`, the same with an annotation at each tenth call, the
// CPU and a GPU in turn, so that each of them costs a copy; `calls`, in which each tenth call is one of a function that is handed on as a
// value; `nested`, 1,000 functions in rows of functions within functions, each of which reads a value of all that are around it.
// `variables`: of placement, one for a value and as many for a function as its type has parameters and results, which `nested` has many of.
// One thread. Figures are processor time in ns for each node of the program before, the least of all repeats and, in brackets, the median
// and the worst: `plan` finds where everything is, `apply` builds the planned program.
// Exit status: 0; 1 where a program could not be planned; 2 for bad arguments.
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <inlay/ir/ir_builder.hpp>
#include <inlay/placement/plan_devices.hpp>
#include <inlay/target/plain_target.hpp>
#include <inlay/target/target_schema.hpp>

#include "../matching/thread_time.hpp"

namespace {

using namespace inlay;
using bench::spread;
using bench::timed;

[[noreturn]] void fail(const std::string& sentence) {
    std::fprintf(stderr, "placement: %s\n", sentence.c_str());
    std::exit(2);
}

std::size_t number(const std::string& option, std::string_view word) {
    std::size_t value = 0;
    const auto [end, fault] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (fault != std::errc{} || end != word.data() + word.size() || value < 1 || value > 100'000'000)
        fail(option + " has \"" + std::string(word) + "\", which is no whole number from 1 to 100000000; give one.");
    return value;
}

const node_type row = tensor_type(element_type::float32, {4});

ir_module finished(ir_builder& b, std::vector<node_id> parameters, node_id result) {
    b.declare(b.function(parameters, result, "main"));
    return b.finish_in_blocks();
}

ir_module chain(std::size_t nodes, std::size_t annotated, std::size_t called) {
    ir_builder b;
    const node_id x = b.input("x", row), y = b.input("y", row);
    node_id f = no_node;
    if (called != 0) {
        const node_id a = b.input("a", row), body = b.call("negative", {a}, {}, row);
        const node_id parameters[] = {a};
        f = b.function(parameters, body);
    }
    const placement cpu = placement::on(device_type::cpu), gpu = placement::on(device_type::cuda);
    node_id last = x, before = y;
    for (std::size_t i = 0; b.so_far().size() < nodes; ++i) {
        node_id next;
        if (called != 0 && i % called == 0) {
            const node_id operands[] = {f, last};
            next = b.apply(operands, row);
        } else {
            next = b.call(i % 3 == 0 ? "multiply" : "add", {last, before}, {}, row);
        }
        if (annotated != 0 && i % annotated == 0) next = before = b.on_device(next, i % (2 * annotated) == 0 ? cpu : gpu, false);
        before = annotated == 0 ? last : before;
        last = next;
    }
    return finished(b, {x, y}, last);
}

ir_module nested(std::size_t depth) {
    ir_builder b;
    const node_id x = b.input("x", row);
    node_id sum = x;
    for (std::size_t made = 0; made < 1000; made += depth) {
        std::vector<node_id> parameters;
        for (std::size_t d = 0; d < depth; ++d) parameters.push_back(b.input("p", row));
        node_id inner = x;
        for (std::size_t d = 0; d < depth; ++d) inner = b.call("add", {inner, parameters[d]}, {}, row);
        for (std::size_t d = depth; d-- > 0;) {
            const node_id one[] = {parameters[d]};
            inner = b.function(one, inner);
        }
        for (std::size_t d = 0; d < depth; ++d) {
            const node_id operands[] = {inner, sum};
            inner = b.apply(operands);
        }
        sum = inner;
    }
    return finished(b, {x}, sum);
}

void measure(const char* name, const std::string& size, const ir_module& m, const configuration& c, std::size_t repeats) {
    device_lattice l(c);
    std::optional<outcome<device_plan<ir_module, device_lattice>>> plan;
    const auto planning = timed(repeats, m.size(), [&] { plan.emplace(device_plan<ir_module, device_lattice>::of(m, l)); });
    if (!*plan) {
        std::fprintf(stderr, "placement: %s\n", plan->failure().message.c_str());
        std::exit(1);
    }
    std::size_t after = 0;
    const auto applying = timed(repeats, m.size(), [&] { after = apply_plan(**plan).size(); });
    const auto shown = [](const spread& s) {
        char text[80];
        std::snprintf(text, sizeof text, "%6.0f [%.0f %.0f]", s.least, s.median, s.worst);
        return std::string(text);
    };
    std::printf("%-8s %10s  %10zu  %10u  %10zu  %-24s %-24s\n", name, size.c_str(), m.size(), (*plan)->annotated().domains().variables(),
                after, shown(planning).c_str(), shown(applying).c_str());
    std::fflush(stdout);
}

}  // namespace

int main(int count, char** given) {
    std::vector<std::size_t> nodes = {1'000, 10'000, 100'000, 1'000'000};
    std::size_t repeats = 5;
    for (int i = 1; i < count; ++i) {
        const std::string option = given[i];
        if (i + 1 == count) fail(option + " stands at the end, where a value was expected; give one.");
        const std::string_view value = given[++i];
        if (option == "--nodes")
            nodes = {number(option, value)};
        else if (option == "--repeats")
            repeats = number(option, value);
        else
            fail("\"" + option + "\" is unknown; give --nodes or --repeats.");
    }
    const auto c = configuration::make({instance_of(llvm_target{}), instance_of(cuda_target{})}, known_targets<>());
    if (!c) fail(c.failure().message);
    std::printf("%-8s %10s  %10s  %10s  %10s  %-24s %-24s\n", "program", "size", "nodes", "variables", "planned", "plan, ns a node",
                "apply, ns a node");
    for (const std::size_t n : nodes) {
        measure("chain", std::to_string(n), chain(n, 0, 0), *c, repeats);
        measure("noted", std::to_string(n), chain(n, 10, 0), *c, repeats);
        measure("calls", std::to_string(n), chain(n, 0, 10), *c, repeats);
    }
    for (const std::size_t depth : {1, 10, 100, 1000}) measure("nested", std::to_string(depth), nested(depth), *c, repeats);
    return 0;
}
