// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TARGET_PLAIN_TARGET_HPP
#define INLAY_TARGET_PLAIN_TARGET_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <inlay/core/in_force.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/target/option.hpp>
#include <inlay/target/target_record.hpp>

namespace inlay {

/// The CPU by way of LLVM's names for processors: what a CPU runs when nobody claims a node. It has the options that TVM gives the kind, so
/// that programs planned there read here; but for the hardware's name, nobody here looks at them.
struct llvm_target {
    static constexpr std::string_view kind = "llvm";
    static constexpr device_type device = device_type::cpu;

    std::string mcpu, mtriple, model, mfloat_abi, mabi, jit, runtime;
    std::vector<std::string> mattr, libs, cl_opt;
    std::int64_t num_cores = 0, opt_level = 0, vector_width = 0;
    bool fast_math = false, fast_math_nnan = false, fast_math_ninf = false, fast_math_nsz = false, fast_math_arcp = false,
         fast_math_contract = false, fast_math_reassoc = false, system_lib = false;

    using options =
        option_list<option<"mcpu", &llvm_target::mcpu, "the processor, as LLVM names it; empty: this machine's">,
                    option<"mtriple", &llvm_target::mtriple, "the machine, as LLVM names it; empty: this one">,
                    option<"mattr", &llvm_target::mattr, "features of the processor to use or leave out: +avx2,-avx512f">,
                    option<"model", &llvm_target::model, "the hardware's name, for people">,
                    option<"mfloat-abi", &llvm_target::mfloat_abi, "how functions take floats: soft or hard; empty: as the machine has it">,
                    option<"mabi", &llvm_target::mabi, "how functions call each other, as LLVM names it; empty: as the machine has it">,
                    option<"num-cores", &llvm_target::num_cores, "cores that code is tuned for; 0: not said">,
                    option<"fast-math", &llvm_target::fast_math, "all of what follows for floats">,
                    option<"fast-math-nnan", &llvm_target::fast_math_nnan, "no operand or result is a NaN">,
                    option<"fast-math-ninf", &llvm_target::fast_math_ninf, "no operand or result is infinite">,
                    option<"fast-math-nsz", &llvm_target::fast_math_nsz, "the sign of a zero does not matter">,
                    option<"fast-math-arcp", &llvm_target::fast_math_arcp, "a division may become a product with the reciprocal">,
                    option<"fast-math-contract", &llvm_target::fast_math_contract, "a product and a sum may become one operation">,
                    option<"fast-math-reassoc", &llvm_target::fast_math_reassoc, "sums and products may be taken in another order">,
                    option<"opt-level", &llvm_target::opt_level, "how hard LLVM optimises; 0: not said">,
                    option<"cl-opt", &llvm_target::cl_opt, "options for LLVM as its own tools take them">,
                    option<"jit", &llvm_target::jit, "what runs code as it is made: mcjit or orcjit; empty: not said">,
                    option<"vector-width", &llvm_target::vector_width, "bits of a vector that code is made for; 0: not said">,
                    option<"runtime", &llvm_target::runtime, "what loads the code: c or c++; empty: not said">,
                    option<"system-lib", &llvm_target::system_lib, "the code becomes part of the program that calls it">,
                    option<"libs", &llvm_target::libs, "libraries that TVM may call; here each is a target of its own">>;
    [[nodiscard]] static std::vector<std::string> keys() { return {"cpu"}; }
    /// A feature is put in by `+` and left out by `-`.
    [[nodiscard]] outcome<void> check() const {
        for (const std::string& feature : mattr)
            if (feature.size() < 2 || (in_force<"target.plain.llvm-features">() && feature.front() != '+' && feature.front() != '-'))
                return error{"option '-mattr' of target 'llvm' takes features with '+' or '-' before each, as '+avx2', not " +
                             quoted_text(feature)};
        return {};
    }
};

/// The CPU by way of C source: in the place of `llvm` where the program is to leave as C.
struct c_target {
    static constexpr std::string_view kind = "c";
    static constexpr device_type device = device_type::cpu;

    std::string mcpu, model, march, runtime;
    std::vector<std::string> mattr, libs;
    std::int64_t workspace_byte_alignment = 0, constants_byte_alignment = 0;
    bool system_lib = false;

    using options = option_list<
        option<"mcpu", &c_target::mcpu, "the processor, as the C compiler names it; empty: any">,
        option<"model", &c_target::model, "the hardware's name, for people">,
        option<"march", &c_target::march, "the instruction set, as the C compiler names it; empty: any">,
        option<"mattr", &c_target::mattr, "features of the processor to use or leave out: +avx2,-avx512f">,
        option<"workspace-byte-alignment", &c_target::workspace_byte_alignment, "at what multiples of bytes workspaces begin; 0: not said">,
        option<"constants-byte-alignment", &c_target::constants_byte_alignment, "at what multiples of bytes constants begin; 0: not said">,
        option<"runtime", &c_target::runtime, "what loads the code: c or c++; empty: not said">,
        option<"system-lib", &c_target::system_lib, "the code becomes part of the program that calls it">,
        option<"libs", &c_target::libs, "libraries that TVM may call; here each is a target of its own">>;
    [[nodiscard]] static std::vector<std::string> keys() { return {"cpu"}; }
};

/// NVIDIA's GPUs. The defaults that TVM fills in stand here as defaults, so that they make no difference.
struct cuda_target {
    static constexpr std::string_view kind = "cuda";
    static constexpr device_type device = device_type::cuda;

    std::string arch = "sm_50", model = {}, mcpu = {};
    std::vector<std::string> libs = {};
    std::int64_t max_num_threads = 1024, thread_warp_size = 32, max_threads_per_block = 0, max_shared_memory_per_block = 0,
                 registers_per_block = 0, l2_cache_size_bytes = 0;

    using options =
        option_list<option<"arch", &cuda_target::arch, "the architecture to compile for, as sm_80">,
                    option<"model", &cuda_target::model, "the hardware's name, for people">,
                    option<"mcpu", &cuda_target::mcpu, "the processor, as LLVM names it; empty: not said">,
                    option<"max_num_threads", &cuda_target::max_num_threads, "threads of a block that code is made for">,
                    option<"thread_warp_size", &cuda_target::thread_warp_size, "threads that run in step">,
                    option<"max_threads_per_block", &cuda_target::max_threads_per_block, "threads that a block can have; 0: not said">,
                    option<"max_shared_memory_per_block", &cuda_target::max_shared_memory_per_block,
                           "bytes that the threads of a block can share; 0: not said">,
                    option<"registers_per_block", &cuda_target::registers_per_block, "registers that a block can have; 0: not said">,
                    option<"l2_cache_size_bytes", &cuda_target::l2_cache_size_bytes, "bytes of the second cache; 0: not said">,
                    option<"libs", &cuda_target::libs, "libraries that TVM may call; here each is a target of its own">>;
    [[nodiscard]] static std::vector<std::string> keys() { return {"cuda", "gpu"}; }
    /// The architecture is `sm_` and digits.
    [[nodiscard]] outcome<void> check() const {
        bool fits = arch.empty() || (arch.size() > 3 && arch.starts_with("sm_"));
        for (std::size_t i = 3; i < arch.size(); ++i) fits = fits && arch[i] >= '0' && arch[i] <= '9';
        if (fits || !in_force<"target.plain.cuda-arch">()) return {};
        return error{"option '-arch' of target 'cuda' takes 'sm_' and digits, as 'sm_80', not " + quoted_text(arch)};
    }
};

/// An accelerator of any other kind: the plain target that a vendor's back end refines. Nothing runs on it but what a back end claims.
struct ext_dev_target {
    static constexpr std::string_view kind = "ext_dev";
    static constexpr device_type device = device_type::ext_dev;

    std::string model;

    using options = option_list<option<"model", &ext_dev_target::model, "the hardware's name, for people">>;
};

/// The plain targets of the library, for the rules about lists.
inline constexpr std::array plain_records{record_of<llvm_target>(), record_of<c_target>(), record_of<cuda_target>(),
                                          record_of<ext_dev_target>()};

}  // namespace inlay

#endif
