// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/codegen/declare/runs_at.hpp>

#include <doctest/doctest.h>

#include "../device_toys.hpp"

#include <inlay/codegen/list/backends_ref.hpp>
#include <inlay/target/plain_target.hpp>
#include <inlay/target/target_schema.hpp>

using namespace inlay;
using namespace device_toys;

namespace {

struct pair_of_devices : apart {
    static constexpr std::string_view kind = "pair";
    int devices() const { return 2; }
};

placement on(device_type device) { return {device, placement::any_id, {}, {}}; }

}  // namespace

TEST_CASE("a back end runs where the device type is its own, whatever else is left open") {
    CHECK(runs_at(host(), placement(), {}));
    CHECK(runs_at(host(), on(device_type::cpu), {}));
    CHECK_FALSE(runs_at(host(), on(device_type::ext_dev), {}));
    CHECK(runs_at(apart(), on(device_type::ext_dev), {}));
    CHECK_FALSE(runs_at(apart(), on(device_type::cuda), {}));
}

TEST_CASE("it has one device unless it says how many") {
    CHECK(runs_at(apart(), placement::on(device_type::ext_dev, 0), {}));
    CHECK_FALSE(runs_at(apart(), placement::on(device_type::ext_dev, 1), {}));
    CHECK(runs_at(pair_of_devices(), placement::on(device_type::ext_dev, 1), {}));
    CHECK_FALSE(runs_at(pair_of_devices(), placement::on(device_type::ext_dev, 2), {}));
    CHECK_FALSE(runs_at(pair_of_devices(), placement::on(device_type::ext_dev, -2), {}));
}

TEST_CASE("a plain target stands for all that refine it, any other for itself") {
    CHECK(runs_at(apart(), placement::on(instance_of(ext_dev_target())), {}));
    CHECK(runs_at(apart(), placement::on(instance_of(apart())), {}));
    CHECK_FALSE(runs_at(played(), placement::on(instance_of(apart())), {}));
    CHECK_FALSE(runs_at(apart(), placement::on(instance_of(llvm_target())), {}));
    CHECK(runs_at(host(), placement::on(instance_of(llvm_target())), {}));
}

TEST_CASE("a memory goes by its name, and all results have to stand in it") {
    const format main{device_main, layout::plain(), element_type::float32}, near{device_near, layout::plain(), element_type::float32};
    const format results[] = {near, main};
    const auto one = [&](std::size_t i) { return std::span(results).subspan(i, 1); };
    CHECK(runs_at(apart(), placement::in_scope("near"), one(0)));
    CHECK_FALSE(runs_at(apart(), placement::in_scope("near"), one(1)));
    CHECK_FALSE(runs_at(apart(), placement::in_scope("near"), results));
    CHECK(runs_at(apart(), placement::in_scope("global"), one(1)));
    CHECK_FALSE(runs_at(apart(), placement::in_scope("far"), {}));
    const format plain[] = {plain_format(element_type::float32)};
    CHECK(runs_at(host(), placement::in_scope("global"), plain));
    CHECK_FALSE(runs_at(host(), placement::in_scope("near"), plain));
}

TEST_CASE("a list answers for the back end of a number") {
    const backend_list<host, apart> list;
    const backends_ref backends(list);
    CHECK(backends.device(0) == device_type::cpu);
    CHECK(backends.device(1) == device_type::ext_dev);
    CHECK(backends.runs(1, on(device_type::ext_dev), {}));
    CHECK_FALSE(backends.runs(0, on(device_type::ext_dev), {}));
}
