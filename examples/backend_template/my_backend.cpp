// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
// A back end as a library, to be copied and filled in: the comments say what is yours. Built by Meson or CMake against inlay's headers
// alone, it is found by `inlay targets --backend-dir FOLDER`; `docs/loading_back_ends.md` says more, `docs/adding_a_backend.md` all.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <inlay/backend/plugin/export_backend.hpp>
#include <inlay/candidate/border_formats.hpp>
#include <inlay/candidate/match_view.hpp>
#include <inlay/codegen/declare/backend.hpp>
#include <inlay/pattern/dsl/dsl.hpp>

namespace {

using namespace inlay;

/// What a kernel needs for every run. Yours holds packed weights, a handle of your library, a program for your machine.
struct negation {
    std::size_t count;
    [[nodiscard]] bool run(const run_arguments& a) const {
        for (std::size_t i = 0; i < count; ++i) static_cast<float*>(a.results[0])[i] = -static_cast<const float*>(a.inputs[0])[i];
        return true;  // false: your library reported a failure
    }
};

struct my_backend {
    // What `--target my_backend` names; the plain target that it stands on: llvm for the CPU, c, cuda, ext_dev.
    static constexpr std::string_view kind = "my_backend", refines = "llvm";
    static constexpr device_type device = device_type::cpu;

    // Options become `my_backend -gbps=20` and `--target-my_backend-gbps 20`.
    double gbps = 10;
    using options = option_list<option<"gbps", &my_backend::gbps, "billion bytes a second that its memory moves">>;

    // Of your kernels: what was measured of one version is not believed of another.
    [[nodiscard]] static std::string version() { return "1"; }
    // One sentence where it cannot run here: no device, no library, options that do not go together.
    [[nodiscard]] outcome<void> usable() const {
        if (!(gbps > 0)) return error{"option '-gbps' of target 'my_backend' takes a number above 0"};
        return {};
    }

    // What it takes: names, patterns, and a predicate each that says why not.
    [[nodiscard]] static constexpr auto patterns() {
        return pattern_table(composite<"negation">(dsl::op<"onnx.Neg">, [](const my_backend&, const auto& match) {
            const region_view& r = match.region();
            const tensor_type& t = r.type(r.results[0]);
            if (r.input_count != 1) return verdict::no("it takes no constant");
            return t.element == element_type::float32 ? verdict::yes() : verdict::no("it takes no " + to_string(t));
        }));
    }
    // In which layouts; here row-major alone.
    [[nodiscard]] std::vector<border_formats> formats(const region_view& r) const { return {plain_borders(r)}; }
    // Seconds, where a model knows them; without this member, inlay measures.
    [[nodiscard]] std::optional<double> price(const region_view& r) const { return static_cast<double>(8 * count_of(r)) / (gbps * 1e9); }
    [[nodiscard]] outcome<kernel> emit(const region_view& r) const { return kernel(negation{count_of(r)}); }

private:
    [[nodiscard]] static std::size_t count_of(const region_view& r) {
        return static_cast<std::size_t>(*element_count(static_shape(r.type(r.results[0]))));
    }
};

}  // namespace

INLAY_EXPORT_BACKEND(my_backend)
