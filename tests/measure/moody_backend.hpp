// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_RUNTIME_MOODY_BACKEND_HPP
#define INLAY_TESTS_RUNTIME_MOODY_BACKEND_HPP

#include <chrono>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <sched.h>

#include <inlay/codegen/list/backend_list.hpp>
#include <inlay/cost/meter.hpp>
#include <inlay/pattern/dsl/dsl.hpp>

/// Back ends that misbehave in every way that a library can.
namespace moody {

using namespace inlay;

struct spin {
    double seconds;
    bool run(const run_arguments&) const {
        const auto start = std::chrono::steady_clock::now();
        while (std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() < seconds) {}
        return true;
    }
};
struct abort_when_run {
    static bool run(const run_arguments&) { std::abort(); }
};
struct hang_when_run {
    static bool run(const run_arguments&) {
        for (;;) std::this_thread::sleep_for(std::chrono::seconds(1));
    }
};
struct throw_when_run {
    static bool run(const run_arguments&) { throw std::runtime_error("no such primitive"); }
};
struct fail_when_run {
    static bool run(const run_arguments&) { return false; }
};
struct exit_when_run {
    static bool run(const run_arguments&) { std::_Exit(7); }
};
/// Dies from the second run on if something before it in the batch left a mark.
inline int marks = 0;
struct mark_when_run {
    static bool run(const run_arguments&) {
        ++marks;
        return true;
    }
};
struct abort_when_marked {
    static bool run(const run_arguments&) {
        if (marks != 0) std::abort();
        return true;
    }
};

inline int cores_of_this_process() {
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    return sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? CPU_COUNT(&allowed) : 0;
}

/// What it does is the name of the region's first operator.
struct backend {
    static constexpr std::string_view kind = "moody";
    static constexpr device_type device = device_type::cpu;
    static constexpr std::string_view refines = "llvm";
    static std::string version() { return "1"; }
    double seconds = 1e-5;
    std::string sentence = "two words";
    using options = option_list<option<"seconds", &backend::seconds, "how long a kernel takes">,
                                option<"sentence", &backend::sentence, "text with a blank">>;
    static constexpr auto patterns() { return pattern_table(composite<"anything">(dsl::as<"x">(dsl::any_call))); }
    static outcome<void> usable() { return {}; }
    static std::vector<border_formats> formats(const region_view& r) { return {plain_borders(r)}; }
    static std::optional<double> price(const region_view&) { return std::nullopt; }
    outcome<kernel> emit(const region_view& r) const {
        const std::string_view mood = r.calls()[0].op;
        if (mood == "abort") return kernel(abort_when_run());
        if (mood == "hang") return kernel(hang_when_run());
        if (mood == "fail") return kernel(fail_when_run());
        if (mood == "exit") return kernel(exit_when_run());
        if (mood == "mark") return kernel(mark_when_run());
        if (mood == "marked") return kernel(abort_when_marked());
        if (mood == "abort while emitting") std::abort();
        if (mood == "hang while emitting")
            for (;;) std::this_thread::sleep_for(std::chrono::seconds(1));
        if (mood == "throw when run") return kernel(throw_when_run());
        if (mood == "throw an int") throw 7;
        if (mood == "throw") throw std::runtime_error("no such primitive");
        if (mood == "refuse") return error{"the region is not to my liking"};
        if (mood == "empty") return kernel();
        if (mood == "count cores") return error{"there are " + std::to_string(cores_of_this_process()) + " cores"};
        if (mood == "read the sentence" && sentence != "three more words") return error{"the sentence is '" + sentence + "'"};
        return kernel(spin{seconds});
    }
};

using list = backend_list<backend>;

/// A region of one call of that operator, and its job.
struct job_of {
    std::string op;
    attribute_map none;
    node_type type = tensor_type(element_type::float32, {1, 8});
    std::vector<region_value> values{2};
    value_id operand = 0, result = 1;
    format plain = plain_format(element_type::float32);

    explicit job_of(std::string name) : op(std::move(name)) {}
    job_of(const job_of& other) : job_of(other.op) {}

    [[nodiscard]] pricing_job job() {
        for (region_value& v : values) {
            v.attributes = &none;
            v.type = &type;
        }
        values[0].kind = region_value::role::input;
        values[1].kind = region_value::role::call;
        values[1].op = op;
        values[1].operands = {&operand, 1};
        pricing_job j;
        j.region = {values, 1, 0, {&result, 1}, {&plain, 1}, {&plain, 1}};
        return j;
    }
};

inline pricing_job conversion_job() {
    pricing_job j;
    j.what = pricing_job::subject::conversion;
    j.type = tensor_type(element_type::float32, {1, 32, 14, 14});
    j.from = plain_format(element_type::float32);
    j.to = {{}, layout::channels_blocked(16), element_type::float32};
    return j;
}

}  // namespace moody

#endif
