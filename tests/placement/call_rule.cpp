// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/placement/call_rule.hpp>

#include <doctest/doctest.h>

using inlay::call_rule_of;
using inlay::operand_place;

TEST_CASE("operators that read on the host are few, and all others read where they run") {
    CHECK(call_rule_of("add").of(0) == operand_place::with_call);
    CHECK(call_rule_of("add").of(7) == operand_place::with_call);
    CHECK_FALSE(call_rule_of("add").result_on_host);
    CHECK(call_rule_of("vm.shape_of").result_on_host);
    CHECK(call_rule_of("vm.shape_of").of(0) == operand_place::anywhere);
    CHECK(call_rule_of("vm.reshape_tensor").of(0) == operand_place::with_call);
    CHECK(call_rule_of("vm.reshape_tensor").of(1) == operand_place::on_host);
    CHECK(call_rule_of("on_device").what == inlay::call_rule::form::on_device);
    CHECK(call_rule_of("onnx.Conv").what == inlay::call_rule::form::op);
}
