// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TARGET_PLAIN_TARGET_HPP
#define INLAY_TARGET_PLAIN_TARGET_HPP

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/target/option.hpp>
#include <inlay/target/target_record.hpp>

namespace inlay {

/// The CPU by way of LLVM's names for processors: what a CPU runs when nobody claims a node.
struct llvm_target {
    static constexpr std::string_view kind = "llvm";
    static constexpr device_type device = device_type::cpu;

    std::string mcpu, mtriple, model;
    std::vector<std::string> mattr;

    using options = option_list<option<"mcpu", &llvm_target::mcpu, "the processor, as LLVM names it; empty: this machine's">,
                                option<"mtriple", &llvm_target::mtriple, "the machine, as LLVM names it; empty: this one">,
                                option<"mattr", &llvm_target::mattr, "features of the processor to use or leave out: +avx2,-avx512f">,
                                option<"model", &llvm_target::model, "the hardware's name, for people">>;
    [[nodiscard]] static std::vector<std::string> keys() { return {"cpu"}; }
    /// A feature is put in by `+` and left out by `-`.
    [[nodiscard]] outcome<void> check() const {
        for (const std::string& feature : mattr)
            if (feature.size() < 2 || (feature.front() != '+' && feature.front() != '-'))
                return error{"option '-mattr' of target 'llvm' takes features with '+' or '-' before each, as '+avx2', not " +
                             quoted_text(feature)};
        return {};
    }
};

/// The CPU by way of C source: in the place of `llvm` where the program is to leave as C.
struct c_target {
    static constexpr std::string_view kind = "c";
    static constexpr device_type device = device_type::cpu;

    std::string mcpu, model;

    using options = option_list<option<"mcpu", &c_target::mcpu, "the processor, as the C compiler names it; empty: any">,
                                option<"model", &c_target::model, "the hardware's name, for people">>;
    [[nodiscard]] static std::vector<std::string> keys() { return {"cpu"}; }
};

/// NVIDIA's GPUs.
struct cuda_target {
    static constexpr std::string_view kind = "cuda";
    static constexpr device_type device = device_type::cuda;

    std::string arch, model;

    using options =
        option_list<option<"arch", &cuda_target::arch, "the architecture to compile for, as sm_80; empty: that of the device at hand">,
                    option<"model", &cuda_target::model, "the hardware's name, for people">>;
    [[nodiscard]] static std::vector<std::string> keys() { return {"cuda", "gpu"}; }
    /// The architecture is `sm_` and digits.
    [[nodiscard]] outcome<void> check() const {
        bool fits = arch.empty() || (arch.size() > 3 && arch.starts_with("sm_"));
        for (std::size_t i = 3; i < arch.size(); ++i) fits = fits && arch[i] >= '0' && arch[i] <= '9';
        if (fits) return {};
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
