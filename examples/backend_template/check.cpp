// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
// Loads the library and has it compute what the interpreter does, too: check ./my_backend.so. Put your operator in the place of Neg.
#include <cstddef>
#include <cstdio>
#include <vector>

#include <inlay/backend/plugin/load_backend.hpp>
#include <inlay/candidate/enumerate.hpp>
#include <inlay/codegen/list/backend_list.hpp>
#include <inlay/codegen/list/extended_list.hpp>
#include <inlay/ir/ir_builder.hpp>
#include <inlay/ops/interpret/interpret.hpp>
#include <inlay/partition/partition.hpp>
#include <inlay/runtime/link.hpp>
#include <inlay/testing/compare.hpp>

using namespace inlay;

namespace {

int fail(const error& why) {
    std::fprintf(stderr, "%s\n", why.message.c_str());
    return 1;
}

}  // namespace

int main(int count, char** arguments) {
    if (count != 2) return fail(error{"call it with the library's path, which has a slash"});
    auto library = load_backend(arguments[1]);
    if (!library) return fail(library.failure());
    extended_list<backend_list<>, loaded_backend> backends;
    if (auto added = backends.add(*std::move(library)); !added) return fail(added.failure());

    const tensor_type row(element_type::float32, {4});
    ir_builder b;
    b.open_block();
    const node_id x[] = {b.input("x", row)};
    b.declare(b.function(x, b.call("onnx.Neg", {x[0]}, {}, row, "y"), "main"));
    const ir_module program = b.finish();

    const candidate_set found = enumerate(program, backends);
    for (const refusal& r : found.refusals) std::printf("it does not take %s: %s\n", r.composite.c_str(), r.reason.c_str());
    if (found.candidates.empty()) return fail(error{"it takes nothing of this program"});
    const std::vector<std::size_t> chosen{0};
    const auto code = link(program, backends, found, partition(program, found, chosen));
    if (!code) return fail(code.failure());
    const tensor inputs[] = {tensor::of<float>({4}, {-3, -1, 1, 2})};
    const auto made = code->run(inputs), meant = interpret(program, inputs);
    if (!made) return fail(made.failure());
    if (!meant) return fail(meant.failure());
    const comparison same = compare(made->front(), meant->front(), 1e-6, 1e-6);
    if (!same.agrees) return fail(error{"its result differs: " + same.reason});
    std::printf("it computes what the interpreter does\n");
}
