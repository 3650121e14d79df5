// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/target/target_record.hpp>

#include <array>
#include <vector>

#include <doctest/doctest.h>

#include "sample_targets.hpp"

using namespace inlay;

namespace {

constexpr target_record llvm{"llvm", device_type::cpu, {}}, c{"c", device_type::cpu, {}}, cuda{"cuda", device_type::cuda, {}};
constexpr target_record simd{"cpu_simd", device_type::cpu, "llvm"}, cutlass{"cutlass", device_type::cuda, "cuda"},
    cublas{"cublas", device_type::cuda, "cuda"};

constexpr fault_of_target last_fault(std::span<const target_record> list) { return fault_at(list, list.size() - 1, plain_records); }

constexpr std::array whole{simd, cuda, cutlass, c, cublas};
static_assert(last_fault(whole).what == list_fault::none);
static_assert(last_fault(std::array{simd, cuda, simd}).what == list_fault::kind_twice);
static_assert(last_fault(std::array{cuda, llvm, simd, c}).what == list_fault::two_plain);
static_assert(plain_of(whole, device_type::cpu) == 3);
static_assert(canonical_place(whole, 3) == 1);

}  // namespace

TEST_CASE("a type's record has its kind, its device type and what it refines") {
    CHECK(record_of<sample_accel>() == target_record{"accel", device_type::ext_dev, "ext_dev"});
    CHECK(record_of<cuda_target>() == cuda);
    CHECK(record_of<cuda_target>().is_plain());
    CHECK_FALSE(simd.is_plain());
}

TEST_CASE("what refines may claim what stands on any plain target of its device type [target.refines.device]") {
    CHECK(refines(simd, llvm));
    CHECK(refines(simd, c));
    CHECK_FALSE(refines(simd, cuda));
    CHECK_FALSE(refines(simd, simd));
    CHECK_FALSE(refines(llvm, c));
    CHECK_FALSE(refines(cutlass, cublas));
}

TEST_CASE("a kind stands once in a list, and the fault names the one before") {
    const std::array list{cuda, simd, cutlass, simd};
    CHECK(last_fault(list).what == list_fault::kind_twice);
    CHECK(last_fault(list).other == 1);
    CHECK(fault_at(list, 2, plain_records).what == list_fault::none);
}

TEST_CASE("a device type has one plain target, wherever it stands") {
    CHECK(last_fault(std::array{llvm, cuda, c}).what == list_fault::two_plain);
    CHECK(last_fault(std::array{cuda, llvm, c}).other == 1);
    CHECK(last_fault(std::array{simd, llvm}).what == list_fault::none);
    CHECK(last_fault(std::array{llvm, cuda}).what == list_fault::none);
}

TEST_CASE("what refines names a plain target of its own device type, in the list or known [target.refines.named]") {
    constexpr target_record strange{"strange", device_type::cuda, "llvm"}, lost{"lost", device_type::cpu, "nothing"},
        second{"second", device_type::cpu, "cpu_simd"};
    constexpr target_record own{"npu", device_type::ext_dev, {}}, on_own{"vendor", device_type::ext_dev, "npu"};
    CHECK(last_fault(std::array{llvm, strange}).what == list_fault::refines_elsewhere);
    CHECK(last_fault(std::array{llvm, lost}).what == list_fault::refines_unknown);
    CHECK(last_fault(std::array{simd, second}).what == list_fault::refines_refining);
    CHECK(last_fault(std::array{on_own}).what == list_fault::refines_unknown);
    CHECK(last_fault(std::array{own, on_own}).what == list_fault::none);
    CHECK(fault_at(std::array{on_own, own}, 0, plain_records).what == list_fault::none);
}

TEST_CASE("a part belongs to its owner's target, or to the plain one of its device type") {
    CHECK(owner_of(whole, "cutlass", device_type::cuda) == 2);
    CHECK(owner_of(whole, "cutlass", device_type::cpu) == 3);
    CHECK(owner_of(whole, "", device_type::cuda) == 1);
    CHECK(owner_of(whole, "cublas", device_type::ext_dev) == whole.size());
}

TEST_CASE("the only device type is that of all") {
    CHECK(only_device(std::array{cuda, cutlass}) == device_type::cuda);
    CHECK(only_device(whole) == std::nullopt);
    CHECK(only_device({}) == std::nullopt);
}

TEST_CASE("canonical places are a permutation with plain targets first") {
    std::vector<target_record> ordered(whole.size());
    for (std::size_t i = 0; i < whole.size(); ++i) ordered[canonical_place(whole, i)] = whole[i];
    CHECK(ordered == std::vector<target_record>{cuda, c, simd, cutlass, cublas});
}
