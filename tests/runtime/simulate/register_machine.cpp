// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/runtime/simulate/register_machine.hpp>

#include <doctest/doctest.h>

#include "runtime/simulate/few_ops.hpp"

using namespace inlay_test;

namespace {

/// What is said of a program of two variables, one on each device, whose result is on the second.
template <class Body>
std::string said(Body body) {
    placed_builder b;
    const node_id x = b.variable("x", cpu), y = b.variable("y", cuda);
    return failure(b.main({x, y}, body(b, x, y), cuda), {num(3), num(5)});
}
const char* const elsewhere = " is in the memory of cpu, where it has to be in the memory of cuda";

}  // namespace

TEST_CASE("an operator that finds an operand elsewhere is an error with the node, its place in the text and both memories") {
    CHECK(said([](placed_builder& b, node_id x, node_id y) {
              return b.op("add", {y, x});
          }) == "line 3, column 1 (add): operand 1" + std::string(elsewhere));
    CHECK(said([](placed_builder& b, node_id x, node_id y) { return b.op("add", {y, b.copied(x, cpu, cuda)}); }) == "no error");
    // Scopes are memories of their own.
    placement near = cuda;
    near.scope = "near";
    CHECK(has(said([&](placed_builder& b, node_id x, node_id y) {
                  return b.op("add", {y, b.copied(x, cpu, near)});
              }),
              "operand 1 is in the memory 'near' of cuda, where it has to be in the memory of cuda"));
}

TEST_CASE("a copy of what is not in its source, and an annotation of what is not there, are errors") {
    CHECK(said([](placed_builder& b, node_id, node_id y) { return b.copied(y, cpu, cuda); }) ==
          "line 3, column 1 (device_copy): what it copies is in the memory of cuda, where it has to be in the memory of cpu");
    CHECK(said([](placed_builder& b, node_id x, node_id) { return b.there(x, cuda); }) ==
          "line 3, column 1 (on_device): its value" + std::string(elsewhere));
    CHECK(said([](placed_builder& b, node_id x, node_id) { return b.there(x, cpu); }) ==
          "line 4, column 1 (function): the result" + std::string(elsewhere));
}

TEST_CASE("a call whose arguments or result are elsewhere is an error") {
    const auto with = [](const placement& of_parameter, const placement& of_result, bool moved) {
        return said([&](placed_builder& b, node_id x, node_id y) {
            const node_id p = b.variable("p", of_parameter);
            const node_id body = moved ? b.copied(p, of_parameter, of_result) : p;
            const node_id f = b.placed_function({p}, body, of_result);
            return b.at(b.apply(nodes{f, of_parameter == cuda ? y : x}));
        });
    };
    CHECK(with(cuda, cuda, false) == "no error");
    CHECK(with(cpu, cuda, true) == "no error");
    CHECK(with(cpu, cpu, false) == "line 5, column 1 (apply): what it gives" + std::string(elsewhere));
    CHECK(with(cpu, cuda, false) == "line 4, column 1 (function): the result" + std::string(elsewhere));
    CHECK(said([](placed_builder& b, node_id x, node_id) {
              const node_id p = b.variable("p", cuda);
              return b.at(b.apply(nodes{b.placed_function({p}, p, cuda), x}));
          }) == "line 5, column 1 (apply): argument 0" + std::string(elsewhere));
    // A primitive function is a kernel where it is called, and reads arguments in any memory.
    CHECK(said([](placed_builder& b, node_id x, node_id) {
              const node_id p = b.input("p", number);
              return b.at(b.apply(nodes{b.function(nodes{p}, p, {}, {{"Primitive", std::int64_t{1}}}), x}));
          }) == "no error");
}

TEST_CASE("tuples, references, branches and matches hold and read what is where they are") {
    const auto make = [](node_kind kind, std::initializer_list<int> which) {
        return said([&](placed_builder& b, node_id x, node_id y) {
            nodes operands;
            for (const int w : which) operands.push_back(w == 0 ? x : y);
            return b.at(b.projection(b.at(b.add(kind, operands, 0, {}, {})), 0));
        });
    };
    CHECK(make(node_kind::tuple, {1, 1}) == "no error");
    CHECK(make(node_kind::tuple, {1, 0}) == "line 3, column 1 (tuple): field 1" + std::string(elsewhere));
    CHECK(make(node_kind::make_ref, {0}) == "line 3, column 1 (make_ref): what it is made of" + std::string(elsewhere));
    CHECK(said([](placed_builder& b, node_id x, node_id y) {
              return b.at(b.add(node_kind::write_ref, {b.at(b.add(node_kind::make_ref, {y}, 0, {}, {})), x}, 0, {}, {}));
          }) == "line 4, column 1 (write_ref): what it writes" + std::string(elsewhere));
    CHECK(said([](placed_builder& b, node_id x, node_id y) {
              return b.matched({x, y}, {0}, {"_"});
          }) == "line 3, column 1 (match): what it looks at" + std::string(elsewhere));
    placed_builder b;
    const node_id c = b.variable("c", cpu, flag), y = b.variable("y", cuda);
    CHECK(failure(b.main({c, y}, b.at(b.if_else(c, y, y)), cuda), {truth(true), num(5)}) ==
          "line 3, column 1 (if): its condition" + std::string(elsewhere));
}

TEST_CASE("values that are no tensors where one is needed are errors") {
    CHECK(has(said([](placed_builder& b, node_id, node_id y) { return b.op("negative", {b.construct("Some", nodes{y})}); }),
              "operand 0 is a value of a data type, where a tensor was expected"));
    CHECK(has(said([](placed_builder& b, node_id, node_id y) { return b.op("negative", {b.tuple(nodes{b.tuple(nodes{y})})}); }),
              "a field of operand 0 is a tuple, where a tensor was expected"));
    CHECK(has(said([](placed_builder& b, node_id, node_id y) {
                  return b.apply(nodes{y, y});
              }),
              "what it calls is a tensor, where a function was expected"));
    CHECK(has(said([](placed_builder& b, node_id, node_id y) { return b.add(node_kind::read_ref, {y}, 0, {}, {}); }),
              "what it reads is a tensor, where a reference was expected"));
    CHECK(has(said([](placed_builder& b, node_id, node_id y) { return b.projection(b.tuple(nodes{y}), 1); }),
              "field 1 is taken of a tuple that does not have it"));
    CHECK(has(said([](placed_builder& b, node_id, node_id y) { return b.if_else(y, y, y); }), "where one bool was expected"));
    CHECK(has(said([](placed_builder& b, node_id, node_id y) {
                  return b.apply(nodes{b.global("nobody", {}), y});
              }),
              "the module has no function of that name"));
    CHECK(has(said([](placed_builder& b, node_id, node_id y) {
                  return b.apply(nodes{b.function(nodes{}, y), y});
              }),
              "gives 1 arguments to a function of 0 parameters"));
}

TEST_CASE("arguments have to be of the types of the parameters") {
    placed_builder b;
    const node_id x = b.variable("x", cpu);
    const ir_module m = b.main({x}, x, cpu);
    CHECK(failure(m, {}) == "the program has 1 inputs and was given 0");
    CHECK(failure(m, {tensor::scalar(1)}) == "input 'x' is of type float32[] and was given a tensor of type int32[]");
    CHECK(failure(m, {tensor()}) == "input 'x' was given a tensor that holds nothing");
}
