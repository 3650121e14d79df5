// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/vector_dsp/dsp_machine.hpp>

#include <doctest/doctest.h>

using inlay::dsp_parts::dsp_machine;

TEST_CASE("a processor that cannot be is told by its option [vector_dsp.machine]") {
    CHECK(dsp_machine{}.check());
    dsp_machine m;
    m.lanes = 6;
    CHECK(m.check().failure().message == "option '-lanes' of target 'vector_dsp' takes bytes of whole words of 4, not 6");
    m = {};
    m.memory_bytes = 2 << 20;
    CHECK(m.check().failure().message == "option '-memory' of target 'vector_dsp' takes 1024 to 1048576, not 2097152");
    CHECK(dsp_machine{}.whole(65) == 128);
}
