// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/plugin/loaded_kernel.hpp>

#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/core/executor.hpp>

#include "table_of_test.hpp"

using namespace inlay;
using plugin_test::told;

namespace {
struct planned_doubling {
    inlay_backend table = plugin_test::doubling();
    plugin_test::doubled_region region;
    loaded_plan plan;

    planned_doubling() {
        auto opened = loaded_instance::open(table, {});
        REQUIRE(opened);
        auto read = loaded_plan::read(*opened, 0, region.view(), std::vector<value_id>{0});
        REQUIRE(read);
        plan = *std::move(read);
    }
};
}  // namespace

TEST_CASE("a kernel of a library runs, and goes before its plan") {
    told = {};
    alignas(64) float x[4] = {1, 2, 3, 4}, y[4] = {};
    alignas(64) std::byte workspace[64];
    {
        planned_doubling p;
        auto made = emit_loaded(p.plan, p.region.view());
        REQUIRE_MESSAGE(made, made.failure().message);
        CHECK(made->workspace_bytes == 64);
        p.plan = {};
        CHECK(told.released == 0);
        const void* inputs[] = {x};
        void* results[] = {y};
        serial_executor one;
        CHECK((*made)({inputs, results, workspace, executor_ref(one)}));
        CHECK(!(*made)({inputs, results, nullptr, executor_ref(one)}));
        CHECK(y[3] == 8);
        const kernel moved = *std::move(made);
        CHECK(told.kernels_released == 0);
    }
    CHECK(told.runs == 2);
    CHECK(told.kernels_released == 1);
    CHECK(told.released == 1);
    CHECK(told.closed == 1);
}

TEST_CASE("what a library does not emit has its reason") {
    told = {};
    planned_doubling p;
    for (format& f : p.region.border) f.order = layout::channels_last();
    CHECK(emit_loaded(p.plan, p.region.view()).failure().message == "images are not built yet");
    for (format& f : p.region.border) f.order = layout::plain();
    told.forgets_run = true;
    CHECK(emit_loaded(p.plan, p.region.view()).failure().message == "it gives a kernel without a function 'run'");
}

TEST_CASE("C that a library says comes as a part") {
    told = {};
    planned_doubling p;
    const auto made = emit_loaded_c(p.plan, p.region.view(), "twice");
    REQUIRE_MESSAGE(made, made.failure().message);
    CHECK(made->name == "twice");
    CHECK(made->text == "static void twice(const float* x, float* y, const float* two);\n");
    CHECK(made->needs == std::vector<std::string>{"#include \"vendor.h\""});
    REQUIRE(made->headers.size() == 1);
    CHECK(made->headers[0].text == "/* vendor */");
    CHECK(made->sources == std::vector<c_source>{{"vendor.c", "int vendor;"}});
    REQUIRE(made->constants.size() == 1);
    CHECK(made->constants[0].as<float>()[0] == 2);
    CHECK(made->workspace_bytes == 128);
    told.lies_about_constants = true;
    CHECK(emit_loaded_c(p.plan, p.region.view(), "twice").failure().message == "it gives a constant whose bytes are not those of its type");
    told.lies_about_constants = false;
    told.climbs = true;
    CHECK(emit_loaded_c(p.plan, p.region.view(), "twice").failure().message ==
          "it has a file called '../h'; names of files have letters, digits, '_', '-' and '.'");
    p.table.emit_c = nullptr;
    CHECK(emit_loaded_c(p.plan, p.region.view(), "twice").failure().message == "its code does not leave as C");
}
