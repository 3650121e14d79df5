// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CUDA_ON_CUDA_DEVICE_HPP
#define INLAY_BACKEND_CUDA_ON_CUDA_DEVICE_HPP

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <inlay/backend/chosen_formats.hpp>
#include <inlay/backend/cuda/cuda_device.hpp>
#include <inlay/backend/cuda/cuda_model.hpp>
#include <inlay/candidate/border_formats.hpp>
#include <inlay/codegen/kernel/device_memory.hpp>
#include <inlay/codegen/kernel/kernel.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/cost/roofline.hpp>
#include <inlay/ops/onnx/onnx_ops.hpp>
#include <inlay/ops/work_counter.hpp>
#include <inlay/target/device.hpp>

namespace inlay::detail {

/// What back ends have in common whose tensors stand in the memory of the first CUDA device of this machine. They have one memory, one
/// device and one stream together, so that in a list of several of them any one's blocks and copies are the others', too.
///
/// `B`, which derives from it, has a `kind`, and members `arch`, the device's architecture or empty, and `model`, whether prices are the
/// roofline of the device that `arch` names, and no measurement.
template <class B>
struct on_cuda_device {
    static constexpr std::string_view refines = "cuda";
    static constexpr device_type device = device_type::cuda;
    static constexpr memory_scope memory{device_type::cuda, 0};

    /// The architecture that is planned for: the one that was named, else the device's, else `sm_80`.
    [[nodiscard]] std::string made_for() const {
        if (!self().arch.empty()) return self().arch;
        const outcome<cuda_device>& d = cuda_device::here();
        return d ? d->arch() : "sm_80";
    }
    /// Whether that is an architecture of so much or more, as 80 for `sm_80`.
    [[nodiscard]] bool is_made_for(int least) const {
        int made = 0;
        for (const char c : made_for())
            if (c >= '0' && c <= '9' && made < 10'000) made = 10 * made + (c - '0');
        return made >= least;
    }
    /// Whether prices are a model's, so that no plan tells them as measured.
    [[nodiscard]] bool is_modelled() const { return self().model; }

    /// All in the device's memory, row-major.
    [[nodiscard]] std::vector<border_formats> formats(const region_view& r) const {
        border_formats there = plain_borders(r);
        for (std::vector<format>* side : {&there.inputs, &there.results})
            for (format& f : *side) f.scope = memory;
        return {there};
    }

    /// By the model, where it is asked for.
    [[nodiscard]] std::optional<double> price(const region_view& r) const {
        const auto known = self().model ? cuda_model_of(made_for()) : std::nullopt;
        if (!known) return std::nullopt;
        const region_work work = work_counter<onnx_ops>()(r);
        return roofline_seconds(work.flops, work.bytes, known->peaks);
    }

    [[nodiscard]] std::vector<owned_memory> memories() const { return {{memory, "global"}}; }
    [[nodiscard]] outcome<device_block> allocate(memory_scope, std::size_t bytes) const { return cuda_device::allocate(bytes); }
    /// Between the CPU's main memory and the device's, either way: what the bus of the model takes, that of sm_80 where none is known.
    [[nodiscard]] std::optional<double> copy_seconds(memory_scope from, memory_scope to, std::size_t bytes) const {
        if (from == to || (from != memory && to != memory) || (from != memory_scope() && to != memory_scope())) return std::nullopt;
        const auto known = cuda_model_of(made_for());
        return 10e-6 + static_cast<double>(bytes) / (known ? known->bus : 32e9);
    }
    [[nodiscard]] outcome<kernel> emit_copy(memory_scope from, memory_scope to, std::size_t bytes) const {
        if (!copy_seconds(from, to, bytes))
            return error{"target " + quoted_text(B::kind) + " copies between the CPU's main memory and its device's alone"};
        if (const outcome<cuda_device>& d = cuda_device::here(); !d) return d.failure();
        return kernel(cuda_copy(from == memory, to == memory, bytes));
    }

    /// By how much operands of products are rounded, relative to each: tf32 and float16 have 10 bits behind the point, bfloat16 has 7.
    [[nodiscard]] double product_rounding() const {
        return self().precision == "float32" ? 0 : self().precision == "bfloat16" ? 0x1p-8 : 0x1p-11;
    }

protected:
    /// Error: an architecture that is none, or one of which there is no model where one is asked for.
    [[nodiscard]] outcome<void> check_arch() const {
        const std::string target = "target " + quoted_text(B::kind);
        const std::string_view a = self().arch;
        const std::size_t end = a.ends_with("a") ? a.size() - 1 : a.size();
        bool fits = a.empty() || (a.starts_with("sm_") && end > 3);
        for (std::size_t i = 3; i < end; ++i) fits = fits && a[i] >= '0' && a[i] <= '9';
        if (!fits) return error{"option '-arch' of " + target + " takes 'sm_' and digits, as 'sm_80' or 'sm_90a', not " + quoted_text(a)};
        if (self().model && !cuda_model_of(made_for()))
            return error{target + " has no model of " + made_for() + "; -model goes with -arch of " + modelled_archs()};
        return {};
    }
    /// Error: the member `precision` is neither `float32` nor `tf32`.
    [[nodiscard]] outcome<void> check_precision() const {
        if (self().precision == "float32" || self().precision == "tf32") return {};
        return error{"option '-precision' of target " + quoted_text(B::kind) + " takes float32 or tf32, not " +
                     quoted_text(self().precision)};
    }
    /// Error: other formats than these were chosen for a region. `library` is named in it.
    [[nodiscard]] outcome<void> check_formats(const region_view& r, std::string_view library) const {
        const auto chosen = chosen_formats(r, library);
        if (!chosen) return chosen.failure();
        return check_offered(*chosen, formats(r), library);
    }
    /// The device, on which code is emitted and run. Error: there is none; with a model one plans alone.
    [[nodiscard]] outcome<void> check_device() const {
        const outcome<cuda_device>& d = cuda_device::here();
        if (d) return {};
        return error{d.failure().message + (self().model ? "; with -model target " + quoted_text(B::kind) + " plans alone" : "")};
    }
    /// The device's name, for versions.
    [[nodiscard]] static std::string device_name() {
        const outcome<cuda_device>& d = cuda_device::here();
        return d ? d->name() : "no device";
    }

private:
    [[nodiscard]] const B& self() const { return static_cast<const B&>(*this); }
};

}  // namespace inlay::detail

#endif
