// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_MEASURE_PREPARED_JOB_HPP
#define INLAY_MEASURE_PREPARED_JOB_HPP

#include <algorithm>
#include <chrono>  // a leaf: only those who measure include it
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>  // a leaf: only those who measure include it
#include <utility>
#include <vector>

#include <inlay/codegen/emit/emit_composite.hpp>
#include <inlay/codegen/emit/emit_together.hpp>
#include <inlay/codegen/kernel/device_memory.hpp>
#include <inlay/codegen/kernel/hosted_kernel.hpp>
#include <inlay/codegen/kernel/kernel.hpp>
#include <inlay/codegen/kernel/referee_ref.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/measure/device_kernel.hpp>
#include <inlay/measure/measure.hpp>
#include <inlay/measure/region_wire.hpp>
#include <inlay/measure/worker_batch.hpp>
#include <inlay/runtime/convert.hpp>

namespace inlay {

namespace detail {

/// A job made ready to run.
struct prepared_job {
    kernel code;
    measured_kernel how;       // without the address of the code
    std::string unchecked;     // why it was not compared with its meaning; see `measurement`
    double check_seconds = 0;  // that the comparison took
};

/// The back end of a job: of the listed one's type, with the options that the job brings. Error: another build.
template <class B>
[[nodiscard]] outcome<B> instance_for(const travelling_job& job, const B& listed) {
    B instance = listed;
    const error another{"the worker has another back end in the place of '" + job.kind + "'; measure with one executable on both sides"};
    if (std::string_view(instance.kind) != job.kind) return another;
    for (std::size_t i = 0; i + 1 < job.options.size(); i += 2)
        if (auto set = set_option(instance, job.options[i], job.options[i + 1]); !set) return set.failure();
    // After its options, which may name what its version is about, as a compiler.
    if (instance.version() != job.version) return another;
    return instance;
}

/// Emits code for a region on a back end of that kind, version and options. Error: another build, or what the back end says.
template <class List>
[[nodiscard]] outcome<kernel> emit_as(const travelling_job& job, const List& backends, matched_region& match, bool has_plan,
                                      const region_view& region) {
    if (job.backend >= backends.count())
        return error{"the worker knows no back end number " + std::to_string(job.backend) + "; measure with one executable on both sides"};
    return backends.visit(job.backend, [&]<class B>(const B& listed) -> outcome<kernel> {
        auto made = instance_for(job, listed);
        if (!made) return made.failure();
        B& instance = *made;
        if (!has_plan) return emit_composite(instance, composite_job{job.composite, nullptr, region});
        const backend_vtable& table = vtable_of(instance);
        for (const matched_piece& piece : match.pieces)
            if (piece.composite >= table.count)
                return error{"the worker knows no composite number " + std::to_string(piece.composite) + " of '" + job.kind +
                             "'; measure with one executable on both sides"};
        if (auto read = read_again(table, &instance, job.composite, match); !read) return read.failure();
        return emit_composite(instance, {job.composite, &match.plan, region});
    });
}

/// The region of a job as it travelled.
struct region_job {
    travelled_match copy;
    bool has_plan = false;
    region_view region;  // of the copy, in the formats that are to be measured
};
[[nodiscard]] inline error damaged_job() { return error{"the bytes of a job are damaged; measure with one executable on both sides"}; }
[[nodiscard]] inline outcome<region_job> read_region_job(const travelling_job& job) {
    wire_reader r(job.body);
    region_job made;
    made.has_plan = r.get_bool();
    auto copy = read_match(r);
    if (!copy) return copy.failure();
    made.copy = *std::move(copy);
    made.region = made.copy.match->body.view(made.copy.inputs, made.copy.results);
    if (!r.at_end() || made.region.input_formats.size() != made.region.input_count ||
        made.region.result_formats.size() != made.region.results.size())
        return damaged_job();
    return made;
}

[[nodiscard]] inline error wrong_kernel(const travelling_job& job, const error& why) {
    return error{"back end '" + job.kind + "' (" + job.version + ") is wrong: " + why.message};
}

/// A kernel whose tensors are in the memory of its back end's device, with room for them there, after `check` has looked at it. `unchecked`
/// gets what that says.
template <class List, class Check>
[[nodiscard]] outcome<kernel> on_its_device(const travelling_job& job, const List& backends, const region_view& region, kernel code,
                                            const Check& check, std::string& unchecked) {
    return backends.visit(job.backend, [&]<class B>(const B& listed) -> outcome<kernel> {
        if constexpr (owns_memory<B> && !is_simulated<B>()) {
            auto instance = instance_for(job, listed);
            if (!instance) return instance.failure();
            if (auto hosted = hosted_kernel::make(*instance, region, code)) {
                const hosted_border border(region);
                auto checked = check.region(*hosted, border.region(), product_rounding(*instance));
                if (!checked) return wrong_kernel(job, checked.failure());
                unchecked = *std::move(checked);
            } else {
                unchecked = std::move(hosted.failure().message);
            }
            return device_kernel::make(*instance, region, std::move(code));
        } else {
            return error{"back end '" + job.kind +
                         "' has its tensors in a memory that is not its own or is only played, where they are not measured; let it state "
                         "its price"};
        }
    });
}

/// Checks no kernel. Others compare kernels where meanings are known: `region(code, view)` and `conversion(code, extents, from, to)` return
/// why nothing could be compared, empty where it was, or the error of a kernel that is wrong.
struct unchecked_jobs {
    [[nodiscard]] outcome<std::string> region(const kernel&, const region_view&, double = 0) const { return std::string(); }
    [[nodiscard]] outcome<std::string> conversion(const kernel&, const std::vector<std::int64_t>&, const format&, const format&) const {
        return std::string();
    }
};

/// A job made ready and checked; its code may have been made already, under the key of `known`.
template <class List, class Check = unchecked_jobs>
[[nodiscard]] outcome<prepared_job> prepare(const travelling_job& job, const List& backends,
                                            std::map<std::size_t, kernel>::node_type known = {}, const Check& check = {}) {
    prepared_job p;
    if (job.what == pricing_job::subject::conversion) {
        wire_reader r(job.body);
        const node_type type = read_type(r);
        const format from = read_format(r), to = read_format(r);
        if (!r.at_end() || !type.is_tensor() || !type.is_static()) return damaged_job();
        auto how = layout_conversion::make(static_shape(type.of_tensor), from, to);
        if (!how) return how.failure();
        p.how.inputs.push_back({from.element, how->bytes_read()});
        p.how.results.push_back({to.element, how->bytes_written()});
        p.code = conversion_kernel(*how);
        auto checked = check.conversion(p.code, static_shape(type.of_tensor), from, to);
        if (!checked) return error{"the conversion is wrong: " + checked.failure().message};
        p.unchecked = *std::move(checked);
        return p;
    }
    auto travelled = read_region_job(job);
    if (!travelled) return travelled.failure();
    const region_view& region = travelled->region;
    const auto border = [&](value_id v, const format& f) {
        return measured_kernel::border{f.element, stored_bytes(static_shape(region.type(v)), f)};
    };
    const bool is_on_device = hosted_border::is_elsewhere(region);
    for (value_id v = 0; v < region.input_count; ++v) p.how.inputs.push_back(border(v, region.input_formats[v]));
    for (std::size_t i = 0; i < region.results.size(); ++i) p.how.results.push_back(border(region.results[i], region.result_formats[i]));
    for (const region_value& v : region.constants())
        if (v.value != nullptr) p.how.weight_bytes += v.value->bytes();
    auto made = known.empty() ? emit_as(job, backends, *travelled->copy.match.get(), travelled->has_plan, region)
                              : outcome<kernel>(std::move(known.mapped()));
    if (!made) return made.failure();
    if (!*made) return error{"back end '" + job.kind + "' emitted an empty kernel"};
    p.code = std::move(*made);
    if (!is_on_device) {
        auto checked = check.region(p.code, region);
        if (!checked) return wrong_kernel(job, checked.failure());
        p.unchecked = *std::move(checked);
        return p;
    }
    auto there = on_its_device(job, backends, region, std::move(p.code), check, p.unchecked);
    if (!there) return there.failure();
    p.code = *std::move(there);
    p.how.inputs.clear();
    p.how.results.clear();
    return p;
}

/// The back end of a job and its options. Jobs that have them in common depend on the same compiler.
using backend_key = std::pair<std::uint32_t, std::vector<std::string>>;
[[nodiscard]] inline backend_key key_of(const travelling_job& job) { return {job.backend, job.options}; }

/// The numbers of the jobs whose code is made together, set by set: regions of one back end with the same options that makes code for many
/// at once, without those whose composite makes its own.
template <class List>
[[nodiscard]] std::vector<std::vector<std::size_t>> jobs_together(const travelling_batch& batch, const List& backends) {
    std::map<backend_key, std::vector<std::size_t>> alike;
    for (std::size_t i = 0; i < batch.jobs.size(); ++i) {
        const travelling_job& job = batch.jobs[i];
        if (job.what != pricing_job::subject::region || job.backend >= backends.count()) continue;
        const bool is_together = backends.visit(job.backend, [&]<class B>(const B&) {
            if constexpr (emits_together<B>)
                return emitter_at<B>(job.composite) == nullptr;
            else
                return false;
        });
        if (is_together) alike[key_of(job)].push_back(i);
    }
    std::vector<std::vector<std::size_t>> sets;
    for (auto& [key, jobs] : alike) sets.push_back(std::move(jobs));
    return sets;
}

/// What became of the modules of a batch, by the number of a job.
struct emitted_modules {
    std::map<std::size_t, kernel> kernels;
    std::map<std::size_t, std::string> late;  // why there is none, where that took so long that one does not wait for it again
};

/// Makes the code of jobs that go together. As many modules are made side by side as the batch has threads, since a compiler works on one
/// core. What cannot be made together is left out: made by itself, it says why. A module whose compiler was late fails all its jobs: one by
/// one they would wait for it as often as they are. Before each set `begin` is called with the number of its first job.
template <class List, class Begin>
[[nodiscard]] emitted_modules emit_modules(const travelling_batch& batch, const List& backends, Begin&& begin) {
    emitted_modules made;
    std::mutex lock;
    for (const std::vector<std::size_t>& jobs : jobs_together(batch, backends)) {
        begin(jobs.front());
        backends.visit(batch.jobs[jobs.front()].backend, [&]<class B>(const B& listed) {
            if constexpr (emits_together<B>) {
                auto instance = instance_for(batch.jobs[jobs.front()], listed);
                if (!instance) return;
                const std::size_t groups = std::min<std::size_t>(batch.threads, (jobs.size() + 1) / 2);
                const auto emit_group = [&](std::size_t group) {
                    const auto start = std::chrono::steady_clock::now();
                    std::vector<std::size_t> numbers;
                    std::vector<region_job> copies;
                    std::vector<region_view> regions;
                    for (std::size_t k = group; k < jobs.size(); k += groups) {
                        auto copy = read_region_job(batch.jobs[jobs[k]]);
                        if (!copy) continue;
                        regions.push_back(copies.emplace_back(*std::move(copy)).region);
                        numbers.push_back(jobs[k]);
                    }
                    if (regions.empty()) return;
                    auto kernels = emit_regions(*instance, regions);
                    const bool is_late = !kernels && measuring_ground::seconds_since(start) >= compiler_seconds(batch.deadline);
                    const std::scoped_lock held(lock);
                    for (std::size_t k = 0; k < numbers.size(); ++k) {
                        if (is_late) made.late.emplace(numbers[k], kernels.failure().message);
                        if (kernels && (*kernels)[k]) made.kernels.emplace(numbers[k], std::move((*kernels)[k]));
                    }
                };
                const auto emit_or_leave = [&](std::size_t group) {
#if defined(__cpp_exceptions)
                    try {
                        emit_group(group);
                    } catch (...) {}
#else
                    emit_group(group);
#endif
                };
                std::vector<std::thread> others;
                for (std::size_t group = 1; group < groups; ++group) others.emplace_back(emit_or_leave, group);
                emit_or_leave(0);
                for (std::thread& other : others) other.join();
            }
        });
    }
    return made;
}

}  // namespace detail

}  // namespace inlay

#endif
