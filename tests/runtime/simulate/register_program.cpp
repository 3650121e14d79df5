// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/runtime/simulate/register_program.hpp>

#include <string>

#include <doctest/doctest.h>

using namespace inlay;

TEST_CASE("a listing has an instruction per line, with its registers and memory") {
    register_program p;
    p.tags.push_back("Cons");
    p.sentences.push_back("cannot be run");
    p.constants.push_back(tensor::scalar(1.0f));
    p.operators.push_back({"add", nullptr, nullptr, {}, 1});
    p.arguments = {0, 1, no_register};
    register_function f;
    f.name = "main";
    f.parameters = {0, in_no_memory};
    f.registers = 3;
    const auto put = [&](register_op op, register_id to, register_id from, std::uint32_t number = 0, std::uint32_t count = 0,
                         memory_id memory = in_no_memory) {
        register_instruction i;
        i.op = op;
        i.to = to;
        i.from = from;
        i.number = number;
        (op == register_op::jump_unless_tag ? i.fields : i.count) = count;
        i.memory = memory;
        i.source = 0;
        i.target = 9;
        CHECK(i.jumps() == (op == register_op::jump || op == register_op::jump_unless || op == register_op::jump_unless_tag));
        f.code.push_back(i);
    };
    using op = register_op;
    const register_id none = no_register;
    put(op::load_constant, 2, none, 0, 0, 0);
    put(op::move, 2, 1);
    put(op::invoke, 2, none, 0, 2, 0);
    put(op::copy, 2, 1, 0, 0, 0);
    put(op::make_tuple, 2, none, 0, 1);
    put(op::make_data, 2, none, 1, 2);
    put(op::take_field, 2, 1, 4);
    put(op::jump, none, none);
    put(op::jump_unless, none, 1);
    put(op::jump_unless_tag, none, 1, 1, 2);
    put(op::jump_unless_tag, none, 1, 0, 3);
    put(op::make_function, 2, none, 0, 3);
    put(op::call, 2, 1, 0, 1);
    put(op::call_function, 2, none, 0, 1, in_callers_memory);
    put(op::write_reference, 2, 1, 0, 1);
    put(op::give, none, 2);
    put(op::fail, none, none);
    p.functions.push_back(f);
    p.functions.emplace_back();
    CHECK(to_string(p) ==
          "@main(r0 in the memory of cpu, r1), 0 captured, 3 registers\n"
          "  0\tr2 = load_constant 0: float32[] in the memory of cpu\n"
          "  1\tr2 = move r1\n"
          "  2\tr2 = invoke add(r0, r1) in the memory of cpu\n"
          "  3\tr2 = copy r1 from the memory of cpu in the memory of cpu\n"
          "  4\tr2 = make_tuple(r0)\n"
          "  5\tr2 = make_data Cons(r0, r1)\n"
          "  6\tr2 = take_field r1.4\n"
          "  7\tjump to 9\n"
          "  8\tjump_unless r1 to 9\n"
          "  9\tjump_unless_tag r1 is Cons of 2 to 9\n"
          "  10\tjump_unless_tag r1 is a tuple of 3 to 9\n"
          "  11\tr2 = make_function @main(r0, r1, itself)\n"
          "  12\tr2 = call r1(r0)\n"
          "  13\tr2 = call_function @main(r0) in the memory of the caller\n"
          "  14\tr2 = write_reference r1(r0)\n"
          "  15\tgive r2\n"
          "  16\tfail: cannot be run\n"
          "function 1(), 0 captured, 0 registers\n");
}
