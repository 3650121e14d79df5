// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/target/plain_target.hpp>

#include <doctest/doctest.h>

#include <inlay/target/read_target.hpp>
#include <inlay/target/target.hpp>

static_assert(inlay::target<inlay::llvm_target> && inlay::target<inlay::c_target> && inlay::target<inlay::cuda_target> &&
              inlay::target<inlay::ext_dev_target>);
static_assert(inlay::plain_records[0] == inlay::target_record{"llvm", inlay::device_type::cpu, {}});
static_assert(inlay::plain_records[1] == inlay::target_record{"c", inlay::device_type::cpu, {}});
static_assert(inlay::plain_records[2] == inlay::target_record{"cuda", inlay::device_type::cuda, {}});
static_assert(inlay::plain_records[3] == inlay::target_record{"ext_dev", inlay::device_type::ext_dev, {}});

TEST_CASE("an architecture of cuda is 'sm_' and digits [target.plain.cuda-arch]") {
    inlay::cuda_target t;
    for (const char* arch : {"", "sm_80", "sm_9", "sm_120"}) {
        t.arch = arch;
        CHECK(t.check().has_value());
    }
    for (const char* arch : {"80", "sm_", "sm_80a", "sm80", "SM_80", "sm_ 80", "sm_-1", "sm"}) {
        t.arch = arch;
        REQUIRE_FALSE(t.check().has_value());
        CHECK(t.check().failure().message ==
              "option '-arch' of target 'cuda' takes 'sm_' and digits, as 'sm_80', not '" + std::string(arch) + "'");
    }
}

TEST_CASE("a feature of llvm's processor has a sign [target.plain.llvm-features]") {
    inlay::llvm_target t;
    t.mattr = {"+avx2", "-avx512f"};
    CHECK(t.check().has_value());
    for (const char* feature : {"avx2", "+", ""}) {
        t.mattr = {"+avx2", feature};
        REQUIRE_FALSE(t.check().has_value());
        CHECK(t.check().failure().message.find("'" + std::string(feature) + "'") != std::string::npos);
    }
}

TEST_CASE("a bare plain target prints as its kind, with its options as they are written") {
    CHECK(inlay::target_text(inlay::llvm_target()) == "llvm");
    inlay::llvm_target t;
    t.mcpu = "cortex-a72";
    t.mattr = {"+neon", "-sve"};
    CHECK(inlay::target_text(t) == "llvm -mcpu=cortex-a72 -mattr=+neon,-sve");
    inlay::cuda_target gpu;
    gpu.arch = "sm_80";
    CHECK(inlay::target_text(gpu) == "cuda -arch=sm_80");
}

TEST_CASE("the options that TVM gives its kinds are known, and what TVM fills in is the default") {
    const auto read = [](const char* text) { return inlay::target_text(*inlay::read_target(text, inlay::known_targets<>())); };
    CHECK(read("cuda -keys=cuda,gpu -arch=sm_50 -max_num_threads=1024 -thread_warp_size=32") == "cuda");
    CHECK(read("cuda -max_num_threads=512 -libs=cublas,cudnn -registers_per_block=65536 -l2_cache_size_bytes=1 "
               "-max_threads_per_block=1024 -max_shared_memory_per_block=49152 -mcpu=x -model=t4") ==
          "cuda -model=t4 -mcpu=x -max_num_threads=512 -max_threads_per_block=1024 -max_shared_memory_per_block=49152 "
          "-registers_per_block=65536 -l2_cache_size_bytes=1 -libs=cublas,cudnn");
    for (const char* text : {"llvm -mfloat-abi=hard -mabi=lp64d -num-cores=4 -fast-math=true -fast-math-nnan=true -fast-math-ninf=true",
                             "llvm -fast-math-nsz=true -fast-math-arcp=true -fast-math-contract=true -fast-math-reassoc=true",
                             "llvm -opt-level=3 -cl-opt=-a,-b -jit=orcjit -vector-width=256 -runtime=c++ -system-lib=true -libs=dnnl",
                             "c -march=armv7e-m -mattr=+dsp -workspace-byte-alignment=8 -constants-byte-alignment=16 -runtime=c "
                             "-system-lib=true -libs=x"})
        CHECK(read(text) == text);
    CHECK(read("llvm -fast-math -num-cores 4 -system-lib=0") == "llvm -num-cores=4 -fast-math=true");
}
