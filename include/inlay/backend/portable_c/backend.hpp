// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_PORTABLE_C_BACKEND_HPP
#define INLAY_BACKEND_PORTABLE_C_BACKEND_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/backend/only_call.hpp>
#include <inlay/backend/portable_c/written_call.hpp>
#include <inlay/backend/portable_c/written_part.hpp>
#include <inlay/candidate/border_formats.hpp>
#include <inlay/candidate/partition_rules.hpp>
#include <inlay/codegen/c/c_kernels.hpp>
#include <inlay/codegen/c/c_part.hpp>
#include <inlay/codegen/c/part_of_nest.hpp>
#include <inlay/codegen/compile/compiler_lookup.hpp>
#include <inlay/codegen/declare/backend.hpp>
#include <inlay/codegen/emit/emit_together.hpp>
#include <inlay/codegen/emit/nest_kernel.hpp>
#include <inlay/codegen/emit/region_nest.hpp>
#include <inlay/graph/op_kind.hpp>
#include <inlay/loops/lower/lower.hpp>
#include <inlay/loops/schedule/near_stages.hpp>
#include <inlay/loops/schedule/results_in_place.hpp>
#include <inlay/loops/text/c_functions.hpp>
#include <inlay/ops/onnx/onnx_ops.hpp>
#include <inlay/pattern/dsl/composite.hpp>
#include <inlay/pattern/dsl/dsl.hpp>
#include <inlay/target/option.hpp>

namespace inlay {

namespace detail {

/// Whether a region is one call that gives the elements of its first operand under other extents.
[[nodiscard]] inline bool is_view_alone(const region_view& r) {
    const region_value* const call = detail::only_call(r);
    if (call == nullptr || r.results.size() != 1 || r.input_count == 0 || call->operands.empty() || call->operands.front() != 0)
        return false;
    const std::string_view op = call->op;
    return op == "onnx.Reshape" || op == "onnx.Flatten" || op == "onnx.Squeeze" || op == "onnx.Unsqueeze" || op == "onnx.Identity";
}

/// Why there is no C for a region, else empty.
[[nodiscard]] inline std::string refuse_c(const region_view& r) {
    const region_value* const call = detail::only_call(r);
    if (const std::string_view why = call == nullptr ? std::string_view() : portable::reason_without_c(call->op); !why.empty())
        return "there is no C for " + std::string(call->op) + ": " + std::string(why);
    for (const region_value& v : r.values) {
        if (v.kind == region_value::role::absent || !v.type->is_tensor()) continue;
        if (!v.type->is_static()) return "the shape of a value of type " + to_string(*v.type) + " is not known before the run";
    }
    if (call != nullptr && portable::written_of(*call) != nullptr) {
        auto part = portable::written_part(r, "part");
        return part || lower(r, "part") ? std::string() : part.failure().message;
    }
    for (const region_value& v : r.values)
        if (v.kind != region_value::role::absent && v.type->is_tensor() && c_storage_of(v.type->of_tensor.element).empty())
            return "C has no arithmetic on " + std::string(name_of(v.type->of_tensor.element));
    if (is_view_alone(r)) return {};
    auto nest = lower(r, "part");
    return nest ? std::string() : nest.failure().message;
}

struct takes_c {
    template <class B, class Match>
    verdict operator()(const B&, const Match& m) const {
        std::string why = refuse_c(m.region());
        return why.empty() ? verdict::yes() : verdict::no(std::move(why));
    }
};

}  // namespace detail

/// Plain C99 for one thread, in which a program can leave: what runs on the target `c`. Nearly every operator whose result shapes are
/// known has code: as loops where it has a loop nest, else as it is written in `written_gathers.hpp` and its kin; `reason_without_c` names
/// those of which no form has. The text is the same on every
/// machine; to run it here, the system's C compiler compiles it. Indices of gathers that their axis does not have mean the nearest place.
///
/// A kernel may be run by several threads at once, each with a workspace of its own.
struct portable_c {
    static constexpr std::string_view kind = "portable_c";
    static constexpr std::string_view refines = "c";
    static constexpr device_type device = device_type::cpu;
    static constexpr bool by_name_alone = true;

    std::string cc, flags = "-O2";
    std::string cache;            // a folder in which compiled libraries are kept and found again; empty: nowhere
    double compile_seconds = 60;  // that the compiler may take for one part; it has one more for each other of a module
    compiler_lookup compilers;    // those that were asked for

    using options =
        option_list<option<"cc", &portable_c::cc, "the C compiler to run it here with its first arguments; empty: $CC, else cc">,
                    option<"flags", &portable_c::flags, "what that compiler is told, beside how products and sums are kept apart">>;

    /// Part of the key of every measurement: changes with the text that is made and with the compiler.
    [[nodiscard]] std::string version() const { return "1 " + compilers.version_of(source_language::c99, cc); }
    [[nodiscard]] outcome<void> usable() const {
        auto found = compilers.find(source_language::c99, cc);
        if (!found) return found.failure();
        return {};
    }

    static op_kind op_kind_of(std::string_view op) {
        if (op == "onnx.Concat" || portable::written_of(op) != nullptr) return op_kind::opaque;
        const op_definition* known = onnx_ops::find(op);
        return known != nullptr ? known->kind : op_kind::opaque;
    }
    /// What goes element by element joins what it follows, products included.
    using partition_rule =
        only_valid_rule<combine_rule<matched_rule, 6, by_kind<op_kind::injective, op_kind::injective>,
                                     by_kind<op_kind::injective, op_kind::reduction>, by_kind<op_kind::anchor, op_kind::broadcast>>,
                        subgraph_limits{1, false, 6}>;

    static constexpr auto patterns() { return pattern_table(composite<"c">(dsl::any_call, detail::takes_c{})); }

    /// Row-major throughout.
    [[nodiscard]] std::vector<border_formats> formats(const region_view& r) const { return {plain_borders(r)}; }

    /// The region in C, as a function of that name.
    [[nodiscard]] outcome<c_part> emit_c(const region_view& r, std::string_view name) const {
        if (detail::is_view_alone(r)) {
            c_part view;
            view.name = std::string(name);
            for (const region_value& v : r.constants())
                if (v.value != nullptr) view.constants.push_back(*v.value);
            const tensor_type& t = r.type(r.results.front());
            view.views = {{0, stored_bytes(static_shape(t), plain_format(t.element))}};
            return view;
        }
        const region_value* const call = detail::only_call(r);
        std::optional<outcome<c_part>> written;
        if (call != nullptr && portable::written_of(*call) != nullptr) written = portable::written_part(r, name);
        if (written && *written) return *std::move(written);
        auto lowered = lower_to_loops(*this, r, std::string(name));
        if (!lowered) return written ? written->failure() : lowered.failure();
        lowered->loops = with_results_in_place(detail::with_near_stages(std::move(lowered->loops)));
        return part_of_nest(*std::move(lowered));
    }

    /// A part and what it is given beside its constants. To run it here, the system's compiler makes a kernel of the same C; what leaves
    /// goes by `emit_c` alone.
    struct nest {
        c_part code;
        c_borders borders;
    };
    [[nodiscard]] outcome<nest> lower(const region_view& r) const {
        auto part = emit_c(r, "part");
        if (!part) return part.failure();
        return nest{*std::move(part), {r.input_count, r.results.size()}};
    }
    [[nodiscard]] outcome<std::vector<kernel>> emit_together(std::span<const nest> nests) const {
        std::vector<c_part> parts;
        std::vector<c_borders> borders;
        for (const nest& n : nests) {
            parts.push_back(n.code);
            borders.push_back(n.borders);
        }
        compiler_request how = nest_compiler({"-ffp-contract=off", "-w"});
        for (std::size_t at = 0; (at = flags.find_first_not_of(' ', at)) != std::string::npos;) {
            const std::size_t end = std::min(flags.find(' ', at), flags.size());
            how.flags.push_back(flags.substr(at, end - at));
            at = end;
        }
        how.compiler = cc;
        how.cache = cache;
        how.seconds = compile_seconds + static_cast<double>(nests.size()) - 1;
        return c_kernels(parts, borders, std::move(how));
    }
    [[nodiscard]] outcome<kernel> emit(const nest& n) const {
        auto made = emit_together(std::span(&n, 1));
        if (!made) return made.failure();
        return std::move(made->front());
    }
};

static_assert(backend<portable_c>);
static_assert(emits_together<portable_c>);
static_assert(emits_c<portable_c>);

}  // namespace inlay

#endif
