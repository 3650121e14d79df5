// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_TEXT_CUDA_TEXT_IPP
#define INLAY_LOOPS_TEXT_CUDA_TEXT_IPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/loops/text/cuda_text.hpp>

#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/loops/device/barriers.hpp>
#include <inlay/loops/device/device_launch.hpp>
#include <inlay/loops/nest/check_nest.hpp>
#include <inlay/loops/nest/loop_nest.hpp>
#include <inlay/loops/nest/nest_edit.hpp>
#include <inlay/loops/text/c_text.hpp>
#include <inlay/loops/text/cuda_functions.hpp>

namespace inlay {

namespace detail {

inline constexpr c_dialect cuda_dialect{
    "#include <math.h>\n#include <stdint.h>\n\n", "extern \"C\" ", "__restrict__", "static __device__ ", "int64_t", "CUDA C++", false};

/// Writes each launch of a nest as a function of the device's.
class cuda_printer final : public c_printer {
public:
    cuda_printer(const loop_nest& n, std::span<const printed_call> calls, cuda_limits limits = {})
        : c_printer(n, calls, cuda_dialect), limits_(limits), extents_(n.variables.size(), 1), workspace_(n.buffers.size()) {
        functions_ = c_functions(false, "static inline __device__ ");
        for (const nest_statement& s : n.statements)
            if (s.kind == nest_statement::form::loop) extents_[s.variable] = std::max(s.extent, std::int64_t{1});
        if (has_small_indices()) dialect_.index = "int";
    }

    [[nodiscard]] outcome<cuda_text> text() {
        auto launches = launches_of(n_);
        if (!launches) return launches.failure();
        launches_ = *std::move(launches);
        if (auto known = has_types(n_); !known) return known.failure();
        if (auto printed = outside(n_.root); !printed) return printed.failure();
        text_.includes = std::string(dialect_.includes) + half_includes();
        text_.needs = functions_.definitions();
        text_.needs.insert(text_.needs.end(), before_.begin(), before_.end());
        text_.alone = std::move(kernels_);
        text_.text = text_.includes;
        for (const std::string& each : text_.needs) text_.text += each;
        text_.text += text_.alone;
        text_.launcher = launcher();
        return std::move(text_);
    }

protected:
    [[nodiscard]] std::string_view scalar_type(element_type e) const override { return cuda_type_of(e); }
    [[nodiscard]] bool computes_with(element_type e) const override { return !cuda_type_of(e).empty(); }
    [[nodiscard]] std::string applied(scalar_function f, element_type e, const std::string& a, const std::string& b) override {
        if (!is_half(e)) return functions_.apply(f, e, a, b);
        const std::string made = functions_.apply(f, element_type::float32, widened(e, a), b.empty() ? b : widened(e, b));
        return facts_of(f).is_comparison ? made : narrowed(e, made);
    }
    [[nodiscard]] std::string converted(element_type from, element_type to, const std::string& a) override {
        if (from == to) return a;
        if (is_half(from)) return converted(element_type::float32, to, widened(from, a));
        if (!is_half(to)) return functions_.cast(from, to, a);
        if (from == element_type::float32) return narrowed(to, a);
        return narrowed(to, "(double)" + a, true);
    }
    [[nodiscard]] bool is_taken(const printed_call& c, const nest_statement& s) const override {
        if (c.threads == 1) return has_windows(c, s);
        return phase_ != nullptr && together(*phase_) == &c;
    }
    [[nodiscard]] outcome<printed_function> meaning_printed(const loop_nest& function) override {
        cuda_printer inside(function, {}, limits_);
        return meaning_by(inside);
    }
    [[nodiscard]] std::string expression(expression_id id) override {
        const nest_expression& e = n_.expressions[id];
        if (e.kind == nest_expression::form::number && is_half(e.element)) return narrowed(e.element, constant(e));
        if (e.kind == nest_expression::form::within && always_hold(e.bounds)) return expression(e.operands[0]);
        return c_printer::expression(id);
    }
    [[nodiscard]] bool always_hold(const std::vector<affine_bound>& all) const {
        return std::all_of(all.begin(), all.end(), [&](const affine_bound& b) {
            const auto range = b.value.range(extents_);
            return range && range->first >= b.low && range->second < b.high;
        });
    }
    /// Of bounds, what is not true for all values of the loops.
    [[nodiscard]] std::string bounds(const std::vector<affine_bound>& all) const override {
        std::string made;
        const auto add = [&](const std::string& one) { made += (made.empty() ? "" : " && ") + one; };
        for (const affine_bound& b : all) {
            const auto range = b.value.range(extents_);
            if (!range || range->first < b.low) add(whole_constant(b.low) + " <= " + index(b.value));
            if (!range || range->second >= b.high) add(index(b.value) + " < " + whole_constant(b.high));
        }
        return made.empty() ? "true" : made;
    }

    [[nodiscard]] std::string place(buffer_id b, const std::vector<affine>& indices) override {
        if (!is_register(b)) return c_printer::place(b, indices);
        std::vector<affine> own = indices;
        for (std::size_t kind = 0; kind < 3; ++kind)
            if (const auto& axis = (*order_.own[b])[kind]) {
                std::optional<variable_id> thread;
                if (phase_->loops[kind]) thread = n_.statements[*phase_->loops[kind]].variable;
                own[axis->axis] = axis->index(own[axis->axis], thread);
            }
        affine at;
        std::int64_t stride = 1;
        const std::vector<std::int64_t> extents = own_extents(b);
        for (std::size_t d = own.size(); d-- > 0;) {
            at += own[d] * stride;
            stride *= extents[d];
        }
        return c_name(n_.buffers[b].name) + "[" + index(at) + "]";
    }

    [[nodiscard]] outcome<void> statement(statement_id id, std::size_t depth) override {
        if (launch_ != nullptr && phase_ == nullptr)
            for (const device_phase& p : launch_->phases)
                if (p.root == id) return phase(p, depth);
        return c_printer::statement(id, depth);
    }
    [[nodiscard]] outcome<void> loop(const nest_statement& s, std::size_t depth) override {
        constexpr std::int64_t most = most_unrolled;
        const bool is_written_out = s.runs == loop_kind::unrolled || s.runs == loop_kind::vector;
        if (is_written_out && s.extent <= most) body_ += "#pragma unroll\n";
        return braced(loop_head(c_name(n_.variables[s.variable]), 0, s.extent), s, depth);
    }
    [[nodiscard]] outcome<void> allocate(const nest_statement& s, std::size_t depth) override {
        const nest_buffer& b = n_.buffers[s.buffer];
        const std::string type(scalar_type(b.element)), name = c_name(b.name);
        if (b.scope != buffer_scope::shared && !is_register(s.buffer)) return c_printer::allocate(s, depth);
        if (is_register(s.buffer)) {
            std::int64_t count = 1;
            for (const std::int64_t e : own_extents(s.buffer)) count *= e;
            line(depth, type + " " + name + "[" + std::to_string(std::max(count, std::int64_t{1})) + "];");
        } else if (kernel_.shared_bytes == 0) {
            line(depth,
                 "__shared__ __align__(16) " + type + " " + name + "[" + std::to_string(std::max(element_span(b), std::size_t{1})) + "];");
        } else {
            line(depth, type + "* const " + name + " = (" + type + "*)(void*)(inlay_shared + " + std::to_string(shared_at_) + ");");
            shared_at_ += bytes_of(b);
        }
        return statement(s.parts.front(), depth);
    }

private:
    static constexpr std::size_t scratch_alignment = 256, shared_alignment = 16;
    static constexpr std::array<std::string_view, 3> axis_names{"x", "y", "z"};

    [[nodiscard]] static std::size_t bytes_of(const nest_buffer& b, std::size_t alignment = shared_alignment) {
        return (std::max(element_span(b), std::size_t{1}) * size_of(b.element) + alignment - 1) / alignment * alignment;
    }
    /// On the stack around phases: each thread has its part of it in registers.
    [[nodiscard]] bool is_register(buffer_id b) const {
        return launch_ != nullptr && n_.buffers[b].scope == buffer_scope::stack &&
               std::find(launch_->own.begin(), launch_->own.end(), b) != launch_->own.end();
    }
    [[nodiscard]] std::vector<std::int64_t> own_extents(buffer_id b) const {
        std::vector<std::int64_t> extents = n_.buffers[b].extents;
        for (const auto& axis : *order_.own[b])
            if (axis) extents[axis->axis] = axis->of(extents[axis->axis]);
        return extents;
    }
    /// Whether all numbers that indices are made of fit 31 bits.
    [[nodiscard]] bool has_small_indices() const {
        const auto is_small = [&](const affine& a) {
            double size = std::abs(static_cast<double>(a.constant()));
            for (const affine::term& t : a.terms())
                size += std::abs(static_cast<double>(t.factor)) * static_cast<double>(extents_[t.variable]);
            return size < 2147483648.0;
        };
        const auto all = [&](const auto& of) {
            return std::all_of(of.indices.begin(), of.indices.end(), is_small) &&
                   std::all_of(of.bounds.begin(), of.bounds.end(),
                               [&](const affine_bound& b) { return is_small(b.value) && b.low > INT32_MIN && b.high < INT32_MAX; });
        };
        bool small = std::all_of(extents_.begin(), extents_.end(), [](std::int64_t e) { return e < INT32_MAX; });
        for (const nest_expression& e : n_.expressions) {
            small = small && all(e);
            if (e.kind == nest_expression::form::load) small = small && is_small(offset(e.buffer, e.indices));
        }
        for (const nest_statement& s : n_.statements) {
            small = small && all(s);
            if (s.kind == nest_statement::form::store || s.kind == nest_statement::form::update)
                small = small && is_small(offset(s.buffer, s.indices));
            for (const nest_place& p : s.places) small = small && is_small(offset(p.buffer, p.at));
        }
        for (const nest_buffer& b : n_.buffers) small = small && element_span(b) < std::size_t{INT32_MAX};
        return small;
    }
    [[nodiscard]] std::string half_includes() const {
        const auto has = [&](element_type e) {
            return std::any_of(n_.buffers.begin(), n_.buffers.end(), [&](const nest_buffer& b) { return b.element == e; }) ||
                   std::any_of(n_.expressions.begin(), n_.expressions.end(), [&](const nest_expression& x) { return x.element == e; });
        };
        return std::string(has(element_type::float16) ? "#include <cuda_fp16.h>\n" : "") +
               (has(element_type::bfloat16) ? "#include <cuda_bf16.h>\n" : "");
    }
    /// What stands between launches.
    [[nodiscard]] outcome<void> outside(statement_id id) {
        for (const device_launch& l : launches_)
            if (l.root == id) return kernel(l);
        const nest_statement& s = n_.statements[id];
        const std::size_t before = open_bytes_;
        if (s.kind == nest_statement::form::allocate) {
            workspace_[s.buffer] = open_bytes_;
            open_bytes_ += bytes_of(n_.buffers[s.buffer], scratch_alignment);
            text_.workspace_bytes = std::max(text_.workspace_bytes, open_bytes_);
        }
        for (const statement_id part : s.parts)
            if (auto printed = outside(part); !printed) return printed;
        open_bytes_ = before;
        return {};
    }

    [[nodiscard]] outcome<void> fits(const device_launch& l, std::size_t shared) const {
        const auto wrong = [&](const std::string& what) { return error{"loop nest " + quoted_text(n_.name) + ": " + what}; };
        const double threads = static_cast<double>(l.block[0]) * static_cast<double>(l.block[1]) * static_cast<double>(l.block[2]);
        if (threads > static_cast<double>(limits_.threads) || l.block[2] > limits_.threads_z)
            return wrong("a block has " + std::to_string(l.block[0]) + " x " + std::to_string(l.block[1]) + " x " +
                         std::to_string(l.block[2]) + " threads where CUDA takes " + std::to_string(limits_.threads) + ", and " +
                         std::to_string(limits_.threads_z) + " along z; split the loops over threads");
        if (l.grid[0] > limits_.grid_x || l.grid[1] > limits_.grid_y || l.grid[2] > limits_.grid_y)
            return wrong("a launch has " + std::to_string(l.grid[0]) + " x " + std::to_string(l.grid[1]) + " x " +
                         std::to_string(l.grid[2]) + " blocks where CUDA takes " + std::to_string(limits_.grid_x) + " along x and " +
                         std::to_string(limits_.grid_y) + " along y and z; split the loops over blocks");
        if (shared > limits_.shared)
            return wrong("a block shares " + std::to_string(shared) + " bytes where CUDA has " + std::to_string(limits_.shared) +
                         "; choose smaller tiles");
        return {};
    }

    [[nodiscard]] outcome<void> kernel(const device_launch& l) {
        if (std::find(l.grid.begin(), l.grid.end(), 0) != l.grid.end() || std::find(l.block.begin(), l.block.end(), 0) != l.block.end())
            return {};  // nothing runs
        std::size_t shared = 0;
        for (const buffer_id b : l.own)
            if (n_.buffers[b].scope == buffer_scope::shared) shared += bytes_of(n_.buffers[b]);
        if (auto fit = fits(l, shared); !fit) return fit;
        auto order = order_threads(n_, l);
        if (!order) return order.failure();
        order_ = *std::move(order);
        launch_ = &l;
        kernel_ = {c_name(n_.name) + "_" + std::to_string(text_.kernels.size()),
                   l.grid,
                   l.block,
                   shared > limits_.shared_unasked ? shared : 0,
                   {}};
        shared_at_ = 0;
        body_.clear();
        if (kernel_.shared_bytes != 0) line(1, "extern __shared__ __align__(16) unsigned char inlay_shared[];");
        const auto parts = l.parts(n_);
        for (std::size_t i = 0; i < parts.size(); ++i) {
            const nest_statement& loop = n_.statements[l.loops[i]];
            const auto [below, extent] = parts[i];
            std::string number = "blockIdx." + std::string(axis_names[axis_of(loop.runs)]);
            if (below != 1) number += " / " + std::to_string(below);
            if (below * extent != l.grid[axis_of(loop.runs)]) number += " % " + std::to_string(extent);
            declare_index(1, c_name(n_.variables[loop.variable]), extent == 1 ? "0" : number);
        }
        if (auto printed = statement(l.body, 1); !printed) return printed;
        launch_ = nullptr;
        const std::string parameters = parameters_of_launch(l);
        const std::int64_t threads = l.block[0] * l.block[1] * l.block[2];
        kernels_ += "\nextern \"C\" __global__ void __launch_bounds__(" + std::to_string(threads) + ") " + kernel_.name + "(" + parameters +
                    ") {\n" + body_ + "}\n";
        text_.kernels.push_back(std::move(kernel_));
        return {};
    }
    /// The buffers that a launch touches, in their order but scratch last; noted with the kernel.
    [[nodiscard]] std::string parameters_of_launch(const device_launch& l) {
        std::vector<char> is_read(n_.buffers.size(), 0), is_written(n_.buffers.size(), 0);
        nest_edit(n_).each_access(l.root,
                                  [&](buffer_id b, const auto&, const auto&, bool writes) { (writes ? is_written : is_read)[b] = 1; });
        std::string made;
        for (const buffer_scope scope : {buffer_scope::input, buffer_scope::output, buffer_scope::scratch})
            for (buffer_id b = 0; b < n_.buffers.size(); ++b) {
                if (n_.buffers[b].scope != scope || (is_read[b] == 0 && is_written[b] == 0)) continue;
                made += (made.empty() ? "" : ", ") + pointer(n_.buffers[b], is_written[b] == 0);
                kernel_.arguments.push_back({b, workspace_[b]});
            }
        return made;
    }

    /// Whether the windows of a call stand as one way of printing it asks for.
    [[nodiscard]] bool has_windows(const printed_call& c, const nest_statement& s) const {
        const auto is_whole = [](std::int64_t i) { return i % 8 == 0; };
        for (std::size_t i = 0; i < c.core_matrices; ++i) {
            const nest_place& p = s.places[i];
            const std::vector<std::int64_t> strides = window_strides(p, 3, n_.buffers[p.buffer].strides);
            const affine first = offset(p.buffer, p.at);
            if (n_.buffers[p.buffer].scope != buffer_scope::shared || strides[1] != 8 || strides[2] != 1 || !is_whole(strides[0]) ||
                !is_whole(first.constant()) ||
                !std::all_of(first.terms().begin(), first.terms().end(), [&](const affine::term& t) { return is_whole(t.factor); }))
                return false;
        }
        return true;
    }
    /// Where all that a phase does are calls that all threads along x run together, how they are printed; else null.
    [[nodiscard]] const printed_call* together(const device_phase& p) const {
        if (p.loops[0]) return nullptr;
        const printed_call* made = nullptr;
        const auto look = [&](const auto& self, statement_id id) -> bool {
            const nest_statement& s = n_.statements[id];
            if (s.kind == nest_statement::form::call) {
                const auto one = std::find_if(calls_.begin(), calls_.end(), [&](const printed_call& c) {
                    return c.threads == launch_->block[0] && c.threads > 1 && c.name == n_.functions[s.callee].name && has_windows(c, s);
                });
                if (one == calls_.end() || (made != nullptr && made != &*one)) return false;
                made = &*one;
                return true;
            }
            return !s.parts.empty() && s.kind != nest_statement::form::allocate &&
                   std::all_of(s.parts.begin(), s.parts.end(), [&](statement_id part) { return self(self, part); });
        };
        return look(look, p.body) ? made : nullptr;
    }
    [[nodiscard]] outcome<void> phase(const device_phase& p, std::size_t depth) {
        const printed_call* const one = together(p);
        const bool is_behind_writes = one != nullptr && !one->behind_writes.empty();
        if (is_behind_writes) line(depth, one->behind_writes + ";");
        if (is_behind_writes || order_.has_barrier[p.root] != 0) line(depth, "__syncthreads();");
        std::string fewer;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            if (axis == 0 && one != nullptr) continue;
            const std::int64_t extent = p.loops[axis] ? n_.statements[*p.loops[axis]].extent : 1;
            if (extent < launch_->block[axis])
                fewer += (fewer.empty() ? "" : " && ") + std::string("threadIdx.") + std::string(axis_names[axis]) + " < " +
                         std::to_string(extent);
        }
        line(depth, fewer.empty() ? "{" : "if (" + fewer + ") {");
        for (std::size_t axis = 0; axis < 3; ++axis)
            if (p.loops[axis])
                declare_index(depth + 1, c_name(n_.variables[n_.statements[*p.loops[axis]].variable]),
                              "threadIdx." + std::string(axis_names[axis]));
        phase_ = &p;
        auto printed = c_printer::statement(p.body, depth + 1);
        phase_ = nullptr;
        line(depth, "}");
        return printed;
    }

    /// A function of the host's.
    [[nodiscard]] std::string launcher() const {
        std::string parameters;
        for (const buffer_scope scope : {buffer_scope::input, buffer_scope::output})
            for (const nest_buffer& b : n_.buffers)
                if (b.scope == scope)
                    parameters +=
                        (scope == buffer_scope::input ? "const " : "") + std::string(scalar_type(b.element)) + "* " + c_name(b.name) + ", ";
        if (text_.workspace_bytes != 0) parameters += "unsigned char* inlay_workspace, ";
        std::string made = "\nextern \"C\" int " + c_name(n_.name) + "(" + parameters + "cudaStream_t inlay_stream) {\n" +
                           "    cudaError_t inlay_status = cudaSuccess;\n";
        const auto dim = [](const std::array<std::int64_t, 3>& d) {
            return "dim3(" + std::to_string(d[0]) + ", " + std::to_string(d[1]) + ", " + std::to_string(d[2]) + ")";
        };
        for (const cuda_kernel& k : text_.kernels) {
            std::string given;
            for (const cuda_argument& a : k.arguments) {
                const nest_buffer& b = n_.buffers[a.buffer];
                const std::string type(scalar_type(b.element));
                given += (given.empty() ? "" : ", ") +
                         (a.workspace ? "(" + type + "*)(void*)(inlay_workspace + " + std::to_string(*a.workspace) + ")" : c_name(b.name));
            }
            const std::string stop = "    if (inlay_status != cudaSuccess) return inlay_status;\n";
            if (k.shared_bytes != 0)
                made += "    inlay_status = cudaFuncSetAttribute(" + k.name + ", cudaFuncAttributeMaxDynamicSharedMemorySize, " +
                        std::to_string(k.shared_bytes) + ");\n" + stop;
            made += "    " + k.name + "<<<" + dim(k.grid) + ", " + dim(k.block) + ", " + std::to_string(k.shared_bytes) +
                    ", inlay_stream>>>(" + given + ");\n    inlay_status = cudaGetLastError();\n" + stop;
        }
        return made + "    return inlay_status;\n}\n";
    }

    cuda_limits limits_;
    std::vector<std::int64_t> extents_;                  // by variable, at least 1
    std::vector<std::optional<std::size_t>> workspace_;  // by buffer: where it begins
    std::vector<device_launch> launches_;
    const device_launch* launch_ = nullptr;
    const device_phase* phase_ = nullptr;
    thread_order order_;
    cuda_kernel kernel_;
    cuda_text text_;
    std::string kernels_;
    std::size_t shared_at_ = 0;
};

}  // namespace detail

outcome<cuda_text> to_cuda(const loop_nest& n, std::span<const printed_call> calls, cuda_limits limits) {
    if (auto sound = check_nest(n); !sound) return sound.failure();
    return detail::cuda_printer(n, calls, limits).text();
}

std::string joined_text(std::span<const cuda_text> all) {
    std::string includes, needs, kernels;
    std::vector<std::string_view> known;
    const auto add = [&](std::string& to, std::string_view one) {
        if (std::find(known.begin(), known.end(), one) != known.end()) return;
        known.push_back(one);
        to += one;
    };
    for (const cuda_text& t : all) {
        add(includes, t.includes);
        for (const std::string& each : t.needs) add(needs, each);
        kernels += t.alone;
    }
    return includes + needs + kernels;
}

}  // namespace inlay

#endif
