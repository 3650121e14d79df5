// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TARGET_DEVICE_KINDS_HPP
#define INLAY_TARGET_DEVICE_KINDS_HPP

#include <array>
#include <span>
#include <string_view>

#include <inlay/target/device.hpp>
#include <inlay/target/option_value.hpp>

namespace inlay {

/// One option of a kind in a table. `otherwise` is its default as text; empty: false, 0 or nothing, and the kind has no default.
struct device_option {
    std::string_view name, doc;
    option_type type = option_type::text;
    std::string_view otherwise = {};
    std::string_view begins = {};  // what the value has before digits; empty: anything
    bool is_fixed = false;         // the default is the only value
};

/// A plain kind of target for devices that no back end of this library runs on. Programs are placed on it; nothing runs there.
struct device_kind {
    std::string_view kind;
    device_type device = device_type::cpu;
    std::span<const std::string_view> keys;
    std::span<const device_option> options;
};

namespace detail {

inline constexpr device_option option_mcpu{"mcpu", "the processor, as LLVM names it; empty: not said"};
inline constexpr device_option option_mtriple{"mtriple", "the machine, as LLVM names it; empty: not said"};
inline constexpr device_option option_mattr{"mattr", "features of the processor to use or leave out", option_type::texts};
[[nodiscard]] constexpr device_option threads_option(std::string_view otherwise) {
    return {"max_num_threads", "threads of a block that code is made for", option_type::integer, otherwise};
}
[[nodiscard]] constexpr device_option block_option(std::string_view otherwise) {
    return {"max_threads_per_block", "threads that a block can have; 0: not said", option_type::integer, otherwise};
}
[[nodiscard]] constexpr device_option warp_option(std::string_view otherwise) {
    return {"thread_warp_size", "threads that run in step", option_type::integer, otherwise};
}
[[nodiscard]] constexpr device_option shared_option(std::string_view otherwise) {
    return {"max_shared_memory_per_block", "bytes that the threads of a block can share; 0: not said", option_type::integer, otherwise};
}
[[nodiscard]] constexpr device_option arguments_option(std::string_view otherwise) {
    return {"max_function_args", "arguments that a kernel can have; 0: not said", option_type::integer, otherwise};
}
[[nodiscard]] constexpr device_option supports_option(std::string_view name, std::string_view doc, std::string_view otherwise = {}) {
    return {name, doc, option_type::boolean, otherwise};
}
[[nodiscard]] constexpr device_option limit_option(std::string_view name, std::string_view doc) {
    return {name, doc, option_type::integer};
}

inline constexpr std::array nvptx_options{
    device_option{"mcpu", "the architecture to compile for, as sm_80", option_type::text, "sm_50", "sm_"},
    device_option{"mtriple", "the machine, as LLVM names it", option_type::text, "nvptx64-nvidia-cuda", {}, true}, threads_option("1024"),
    warp_option("32")};
inline constexpr std::array rocm_options{
    device_option{"mcpu", "the architecture to compile for, as gfx906", option_type::text, "gfx900", "gfx"},
    device_option{"mtriple", "the machine, as LLVM names it", option_type::text, "amdgcn-amd-amdhsa-hcc", {}, true},
    option_mattr,
    threads_option("256"),
    block_option("256"),
    shared_option("65536"),
    warp_option("64")};
inline constexpr std::array opencl_options{
    block_option("256"),
    shared_option("16384"),
    threads_option("256"),
    warp_option("1"),
    device_option{"texture_spatial_limit", "places of a texture along one axis", option_type::integer, "16384"},
    arguments_option("128")};
inline constexpr std::array metal_options{threads_option("256"), block_option("256"), shared_option("32768"), warp_option("16"),
                                          arguments_option("31")};
inline constexpr std::array webgpu_options{threads_option("256")};
inline constexpr std::array hexagon_options{
    option_mattr,
    option_mcpu,
    option_mtriple,
    device_option{"llvm-options", "options for LLVM as its own tools take them", option_type::texts},
    limit_option("num-cores", "cores that code is tuned for; 0: not said"),
    limit_option("vtcm-capacity", "bytes of the tightly coupled memory; 0: not said")};
inline constexpr std::array vulkan_options{
    option_mattr,
    supports_option("supports_float16", "kernels can compute in float16"),
    supports_option("supports_float32", "kernels can compute in float32", "true"),
    supports_option("supports_float64", "kernels can compute in float64"),
    supports_option("supports_int8", "kernels can compute in int8"),
    supports_option("supports_int16", "kernels can compute in int16"),
    supports_option("supports_int32", "kernels can compute in int32", "true"),
    supports_option("supports_int64", "kernels can compute in int64"),
    supports_option("supports_8bit_buffer", "buffers can have elements of 8 bits"),
    supports_option("supports_16bit_buffer", "buffers can have elements of 16 bits"),
    supports_option("supports_storage_buffer_storage_class", "buffers have a storage class of their own"),
    supports_option("supports_push_descriptor", "descriptors can be pushed"),
    supports_option("supports_dedicated_allocation", "a buffer can have memory of its own"),
    supports_option("supports_integer_dot_product", "there are instructions for products of integers"),
    supports_option("supports_cooperative_matrix", "there are instructions for products of matrices"),
    limit_option("supported_subgroup_operations", "bits of what threads in step can do together; 0: not said"),
    threads_option("256"),
    block_option("256"),
    warp_option("1"),
    limit_option("max_block_size_x", "threads of a block along x; 0: not said"),
    limit_option("max_block_size_y", "threads of a block along y; 0: not said"),
    limit_option("max_block_size_z", "threads of a block along z; 0: not said"),
    limit_option("max_push_constants_size", "bytes of constants that are pushed; 0: not said"),
    limit_option("max_uniform_buffer_range", "bytes of a uniform buffer; 0: not said"),
    limit_option("max_storage_buffer_range", "bytes of a storage buffer; 0: not said"),
    limit_option("max_per_stage_descriptor_storage_buffer", "storage buffers of a kernel; 0: not said"),
    shared_option({}),
    device_option{"device_type", "the sort of device, as its driver says"},
    device_option{"device_name", "the device, as its driver says"},
    device_option{"driver_name", "the driver's name"},
    limit_option("driver_version", "the driver's version; 0: not said"),
    limit_option("vulkan_api_version", "the version of Vulkan; 0: not said"),
    limit_option("max_spirv_version", "the newest version of SPIR-V that is read; 0: not said")};

inline constexpr std::array<std::string_view, 1> keys_cpu{"cpu"};
inline constexpr std::array<std::string_view, 2> keys_cuda{"cuda", "gpu"}, keys_rocm{"rocm", "gpu"}, keys_opencl{"opencl", "gpu"},
    keys_metal{"metal", "gpu"}, keys_vulkan{"vulkan", "gpu"}, keys_webgpu{"webgpu", "gpu"}, keys_hexagon{"hexagon", "cpu"},
    keys_sdaccel{"sdaccel", "hls"}, keys_aocl{"aocl", "hls"};

}  // namespace detail

/// The kinds that TVM 0.15 has beside `llvm`, `c`, `cuda` and `ext_dev`, with its defaults. Where TVM asks a device for an option's value,
/// the default is the one without a device. Each also has `model` and `libs`, as all kinds have there.
inline constexpr std::array device_kinds{device_kind{"nvptx", device_type::cuda, detail::keys_cuda, detail::nvptx_options},
                                         device_kind{"rocm", device_type::rocm, detail::keys_rocm, detail::rocm_options},
                                         device_kind{"opencl", device_type::opencl, detail::keys_opencl, detail::opencl_options},
                                         device_kind{"metal", device_type::metal, detail::keys_metal, detail::metal_options},
                                         device_kind{"vulkan", device_type::vulkan, detail::keys_vulkan, detail::vulkan_options},
                                         device_kind{"webgpu", device_type::webgpu, detail::keys_webgpu, detail::webgpu_options},
                                         device_kind{"hexagon", device_type::hexagon, detail::keys_hexagon, detail::hexagon_options},
                                         device_kind{"sdaccel", device_type::opencl, detail::keys_sdaccel, {}},
                                         device_kind{"aocl", device_type::aocl, detail::keys_aocl, {}},
                                         device_kind{"aocl_sw_emu", device_type::aocl, detail::keys_aocl, {}},
                                         device_kind{"stackvm", device_type::cpu, detail::keys_cpu, {}},
                                         device_kind{"hybrid", device_type::cpu, {}, {}}};

}  // namespace inlay

#endif
