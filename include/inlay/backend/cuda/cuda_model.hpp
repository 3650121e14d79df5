// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CUDA_CUDA_MODEL_HPP
#define INLAY_BACKEND_CUDA_CUDA_MODEL_HPP

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include <inlay/cost/roofline.hpp>

namespace inlay::detail {

/// What a device of an architecture does at best, for prices where there is none: float32 operations and bytes of its memory a second,
/// seconds of a launch, and bytes a second over the bus. The numbers of operations, memory and bus are those of NVIDIA's data sheets; a
/// launch takes what its guides call typical.
struct cuda_model {
    std::string_view arch, device;
    machine_peaks peaks;
    double bus;
};

inline constexpr std::array<cuda_model, 5> cuda_models{{{"sm_75", "T4", {8.1e12, 320e9, 5e-6}, 16e9},
                                                        {"sm_80", "A100 40 GB", {19.5e12, 1555e9, 5e-6}, 32e9},
                                                        {"sm_86", "A10", {31.2e12, 600e9, 5e-6}, 32e9},
                                                        {"sm_89", "L4", {30.3e12, 300e9, 5e-6}, 32e9},
                                                        {"sm_90", "H100 SXM", {67e12, 3350e9, 5e-6}, 64e9}}};

/// The model of an architecture, `sm_90a` being sm_90; nothing for one of which nothing is said.
[[nodiscard]] inline std::optional<cuda_model> cuda_model_of(std::string_view arch) {
    if (!arch.empty() && arch.back() == 'a') arch.remove_suffix(1);
    for (const cuda_model& m : cuda_models)
        if (m.arch == arch) return m;
    return std::nullopt;
}
/// `sm_75, sm_80, ...`, for people.
[[nodiscard]] inline std::string modelled_archs() {
    std::string all;
    for (const cuda_model& m : cuda_models) all += (all.empty() ? "" : ", ") + std::string(m.arch);
    return all;
}

}  // namespace inlay::detail

#endif
