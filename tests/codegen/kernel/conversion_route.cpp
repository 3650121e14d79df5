// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/codegen/kernel/conversion_route.hpp>

#include <doctest/doctest.h>

#include "../device_toys.hpp"

#include <inlay/codegen/list/backends_ref.hpp>

using namespace inlay;
using namespace device_toys;

namespace {

format in(memory_scope scope, layout order = layout::plain()) { return {scope, order, element_type::float32}; }
const layout last = layout::channels_last(), blocked = layout::channels_blocked(8);
const std::vector<std::int64_t> image{1, 3, 2, 2};  // 48 bytes, 128 in blocks

struct way {
    bool is_there;
    std::vector<std::size_t> bytes;
    bool changes_layout;
    bool operator==(const way&) const = default;
};
template <class List>
way way_of(const List& backends, const format& from, const format& to) {
    const auto found = backends_ref(backends).route(image, from, to);
    if (!found) return {false, {}, false};
    way w{true, {}, found->changes_layout()};
    for (const memory_copy& c : found->copies) w.bytes.push_back(c.bytes);
    return w;
}

}  // namespace

TEST_CASE("a tensor changes its memory by a copy and its layout in the CPU's main memory, so that what crosses is in the device's layout") {
    const backend_list<host, apart> both;
    CHECK(way_of(both, in(cpu_main), in(cpu_main, last)) == way{true, {}, true});
    CHECK(way_of(both, in(cpu_main), in(device_main)) == way{true, {48}, false});
    CHECK(way_of(both, in(device_main), in(cpu_main)) == way{true, {48}, false});
    CHECK(way_of(both, in(cpu_main), in(device_main, blocked)) == way{true, {128}, true});
    CHECK(way_of(both, in(cpu_main, blocked), in(device_main)) == way{true, {48}, true});
    CHECK(way_of(both, in(device_main, blocked), in(cpu_main)) == way{true, {128}, true});
    CHECK(way_of(both, in(device_main), in(device_near)) == way{true, {48}, false});
}

TEST_CASE("where no copy leads, or a layout would change on a device, there is no way") {
    const backend_list<host, apart> both;
    CHECK_FALSE(way_of(both, in(device_main), in(device_main, last)).is_there);
    CHECK_FALSE(way_of(both, in(cpu_main), in(device_near)).is_there);
    CHECK_FALSE(way_of(both, in(device_main), in(device_near, last)).is_there);
    CHECK_FALSE(way_of(both, in(cpu_main), in({device_type::cuda, 0})).is_there);
    format other = in(device_main);
    other.element = element_type::int32;
    CHECK_FALSE(way_of(both, in(cpu_main), other).is_there);
    backend_list<host, apart> one;
    one.choose({0});
    CHECK_FALSE(way_of(one, in(cpu_main), in(device_main)).is_there);
}

TEST_CASE("between two devices that do not know each other the way leads over the CPU, and each copy is priced by who makes it") {
    const backend_list<host, apart, second> all;
    const auto found = backends_ref(all).route(image, in(device_main), in(second::own));
    REQUIRE(found.has_value());
    REQUIRE(found->copies.size() == 2);
    CHECK(found->copies[0] == memory_copy{device_main, cpu_main, 48, 1, 1.048});
    CHECK(found->copies[1] == memory_copy{cpu_main, second::own, 48, 2, 2});
    CHECK(found->copied_bytes() == 96);
    CHECK(found->copy_seconds() == doctest::Approx(3.048));
    CHECK(way_of(all, in(device_main, blocked), in(second::own)) == way{true, {128, 48}, true});
}

TEST_CASE("of several who copy, the most preferred does") {
    backend_list<apart, played, host> backends;
    CHECK(copy_by(backends, cpu_main, device_main, 1)->backend == 0);
    CHECK_FALSE(backends_ref(backends).simulates(0));
    CHECK(backends_ref(backends).simulates(1));
    backends.choose({1, 0});
    CHECK(copy_by(backends, cpu_main, device_main, 1)->backend == 1);
}
