// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/runtime/simulate/simulated_memory.hpp>

#include <doctest/doctest.h>

using namespace inlay;

TEST_CASE("a device type and a scope are a memory, whatever number and target a place has") {
    memory_table t;
    const placement cuda = placement::on(device_type::cuda), other = placement::on(device_type::cuda, 1);
    placement near = placement::on(device_type::cpu);
    near.scope = "near";
    CHECK(t.of(placement::on(device_type::cpu)) == memory_table::host);
    CHECK(t.of(placement()) == memory_table::host);
    const memory_id of_cuda = t.of(cuda), of_near = t.of(near);
    CHECK(t.of(other) == of_cuda);
    CHECK(of_near != memory_table::host);
    CHECK(t.of(near) == of_near);
    CHECK(t.of(placement::in_scope("near")) == of_near);
    CHECK(t.size() == 3);
    CHECK(t.name(of_cuda) == "the memory of cuda");
    CHECK(t.name(of_near) == "the memory 'near' of cpu");
    CHECK(t.name(in_several_memories) == "several memories");
    CHECK(t.name(in_callers_memory) == "the memory of the caller");
    CHECK(t.name(in_no_memory) == "no memory");
}
