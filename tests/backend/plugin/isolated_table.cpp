// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/plugin/isolated_table.hpp>

#include <csignal>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <sys/socket.h>
#include <unistd.h>

#include <doctest/doctest.h>

#include <inlay/backend/plugin/isolated_server.hpp>
#include <inlay/backend/plugin/loaded_kernel.hpp>
#include <inlay/backend/plugin/loaded_plan.hpp>
#include <inlay/core/buffer.hpp>
#include <inlay/core/executor.hpp>

#include "table_of_test.hpp"

using namespace inlay;
using plugin_test::told;

namespace {

/// The doubling back end in a process of its own, after something was done to its table there.
template <class Spoil>
[[nodiscard]] outcome<checked_table> apart(Spoil spoil, double seconds = 30) {
    int ends[2];
    REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    const pid_t process = ::fork();
    if (process == 0) {
        ::close(ends[0]);
        inlay_backend table = plugin_test::doubling();
        spoil(table);
        serve_isolated(ends[1], table);
        ::_exit(0);
    }
    ::close(ends[1]);
    REQUIRE(process > 0);
    return isolated_table::make(std::make_unique<isolated_channel>(ends[0], process, seconds));
}
const auto as_it_is = [](inlay_backend&) {};

[[nodiscard]] outcome<loaded_plan> planned(const checked_table& t, const region_view& r) {
    auto opened = loaded_instance::open(*t.table, {}, t.owner);
    if (!opened) return opened.failure();
    return loaded_plan::read(*opened, 0, r, std::vector<value_id>{0});
}

}  // namespace

TEST_CASE("a back end in another process is asked, priced and run as one in this") {
    told = {};
    // With the slack that every kernel may read.
    alignas(64) float x[4 + buffer::slack / sizeof(float)] = {1, 2, 3, 4}, y[4] = {};
    {
        auto table = apart(as_it_is);
        REQUIRE_MESSAGE(table, table.failure().message);
        CHECK(table->schema.kind == "doubling");
        CHECK(table->names == std::vector<std::string>{"double"});
        const plugin_test::doubled_region r;
        auto plan = planned(*table, r.view());
        REQUIRE_MESSAGE(plan, plan.failure().message);
        REQUIRE(plan->formats().size() == 2);
        CHECK(plan->formats()[1].inputs[0].order == layout::channels_last());
        std::string version;
        table->table->describe(plan->instance().get(), detail::reply_to(version));
        CHECK(version == "2.1");
        auto code = emit_loaded(*plan, r.view());
        REQUIRE_MESSAGE(code, code.failure().message);
        // The kernel keeps the process alive.
        *table = {};
        *plan = {};
        const void* inputs[] = {x};
        void* results[] = {y};
        serial_executor one;
        CHECK((*code)({inputs, results, nullptr, executor_ref(one)}));
        CHECK(y[3] == 8);
    }
    // All of it happened there.
    CHECK(told.opened == 0);
    CHECK(told.runs == 0);
}

TEST_CASE("a kernel in another process reads what it would read in this one, and one that writes outside of its results has failed") {
    // The first element says what the kernel does.
    const auto table = apart([](inlay_backend& t) {
        t.emit = [](void*, void*, const inlay_borders*, inlay_kernel* made, inlay_reply) -> inlay_status {
            made->run = [](void*, const inlay_run* how) {
                const auto* x = static_cast<const float*>(how->inputs[0]);
                auto* y = static_cast<float*>(how->results[0]);
                if (x[0] == 1) y[0] += x[4];
                if (x[0] == 2) y[4] = 0;
                if (x[0] == 3) y[-1] = 0;
                if (x[0] == 4) const_cast<float*>(x)[1] = 9;
                return 0;
            };
            made->release = [](void*) {};
            return INLAY_YES;
        };
    });
    REQUIRE_MESSAGE(table, table.failure().message);
    const plugin_test::doubled_region r;
    auto plan = planned(*table, r.view());
    REQUIRE(plan);
    auto code = emit_loaded(*plan, r.view());
    REQUIRE(code);
    alignas(64) float x[4 + buffer::slack / sizeof(float)] = {1, 0, 0, 0, 30}, y[4] = {5, 6};
    const void* inputs[] = {x};
    void* results[] = {y};
    serial_executor one;
    const auto run = [&](float what) {
        x[0] = what;
        return (*code)({inputs, results, nullptr, executor_ref(one)});
    };
    CHECK(run(1));
    CHECK((y[0] == 35 && y[1] == 6));
    for (const float fault : {2.0f, 3.0f, 4.0f}) CHECK_FALSE(run(fault));
    CHECK(run(5));
}

TEST_CASE("C and refusals come through the channel as they are") {
    auto table = apart(as_it_is);
    REQUIRE(table);
    plugin_test::doubled_region r;
    auto plan = planned(*table, r.view());
    REQUIRE(plan);
    const auto c = emit_loaded_c(*plan, r.view(), "twice");
    REQUIRE_MESSAGE(c, c.failure().message);
    CHECK(c->text == "static void twice(const float* x, float* y, const float* two);\n");
    REQUIRE(c->constants.size() == 1);
    CHECK(c->constants[0].as<float>()[0] == 2);
    CHECK(c->workspace_bytes == 128);
    CHECK(c->sources.size() == 1);
    for (format& f : r.border) f.order = layout::channels_last();
    CHECK(emit_loaded(*plan, r.view()).failure().message == "images are not built yet");
    const auto opened = loaded_instance::open(*table->table, {}, table->owner);
    REQUIRE(opened);
    CHECK(loaded_plan::read(*opened, 0, r.view(), {}).failure().message == "x is not the input");
}

TEST_CASE("a back end that dies or hangs fails what it is asked, then and later, and nothing else") {
    const plugin_test::doubled_region r;
    auto dies = apart([](inlay_backend& t) {
        t.emit = [](void*, void*, const inlay_borders*, inlay_kernel*, inlay_reply) -> inlay_status {
            std::signal(SIGABRT, SIG_DFL);
            std::abort();
        };
    });
    REQUIRE(dies);
    auto plan = planned(*dies, r.view());
    REQUIRE(plan);
    CHECK(emit_loaded(*plan, r.view()).failure().message == "its process died by signal 6 (Aborted)");
    CHECK(planned(*dies, r.view()).failure().message == "its process died by signal 6 (Aborted)");

    auto hangs = apart(
        [](inlay_backend& t) {
            t.read = [](void*, std::uint32_t, const inlay_region*, const std::uint32_t*, std::size_t, void**, inlay_reply) {
                ::sleep(60);
                return INLAY_NO;
            };
        },
        0.3);
    REQUIRE(hangs);
    CHECK(planned(*hangs, r.view()).failure().message == "its process had not answered in 0.3 seconds and was ended");
}

TEST_CASE("a process that leaves at once has no table") {
    int ends[2];
    REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    const pid_t process = ::fork();
    if (process == 0) ::_exit(4);
    ::close(ends[1]);
    const auto none = isolated_table::make(std::make_unique<isolated_channel>(ends[0], process, 30));
    REQUIRE(!none);
    CHECK(none.failure().message == "its process ended with exit status 4");
}
