// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/accel/accel_machine.hpp>

#include <doctest/doctest.h>

TEST_CASE("a machine that cannot be is told by its option [accel.machine]") {
    using inlay::accel_parts::accel_machine;
    CHECK(accel_machine{}.check());
    accel_machine m;
    m.array.rows = 0;
    CHECK(m.check().failure().message == "option '-rows' of target 'accel' takes 1 to 256, not 0");
    m = {};
    m.scratchpad_bytes = 2 << 20;
    CHECK(m.check().failure().message == "option '-scratchpad' of target 'accel' takes 1024 to 1048576, not 2097152");
    CHECK(accel_machine::lines(17) == 2);
}
