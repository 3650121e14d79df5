// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_ONEDNN_PROGRAM_HPP
#define INLAY_BACKEND_ONEDNN_PROGRAM_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/backend/onednn/memory.hpp>
#include <inlay/backend/onednn/onednn_version.hpp>
#include <inlay/backend/onednn/thread_count.hpp>
#include <inlay/codegen/kernel/kernel.hpp>

namespace inlay::detail {

/// Primitives in order, with the memory they work on: the state of an emitted kernel. A run sets the addresses that have changed since the
/// last and calls the library through its C functions, which neither throw nor copy argument lists. Runs from several threads take turns,
/// but for copies alone, which have nothing to set.
class onednn_program {
public:
    explicit onednn_program(int threads) : threads_(threads), engine_(dnnl::engine::kind::cpu, 0), stream_(engine_) {}

    [[nodiscard]] const dnnl::engine& engine() const { return engine_; }

    /// The memory of an input, a result, or a tensor that lives only during a run.
    /// An offset, in bytes, leads into the middle of it.
    dnnl::memory input(std::size_t index, const dnnl::memory::desc& desc, std::size_t offset = 0) {
        return placed({place::form::input, index, offset}, desc);
    }
    dnnl::memory result(std::size_t index, const dnnl::memory::desc& desc, std::size_t offset = 0) {
        return placed({place::form::result, index, offset}, desc);
    }
    dnnl::memory temporary(const dnnl::memory::desc& desc) {
        const dnnl::memory m = placed({place::form::workspace, temporaries_, 0}, desc);
        temporaries_ += aligned(desc.get_size());
        return m;
    }

    /// A constant, brought from the order `from` into the order `to` once, here.
    dnnl::memory constant(const void* data, const dnnl::memory::desc& from, const dnnl::memory::desc& to) {
        dnnl::memory source(from, engine_, const_cast<void*>(data));
        dnnl::memory packed(to, engine_);
        onednn_thread_scope scope(openmp_, threads_);
        dnnl::reorder(source, packed).execute(stream_, source, packed);
        stream_.wait();
        return packed;
    }
    /// The same bytes under another description, which covers as many.
    dnnl::memory renamed(const dnnl::memory& constant, const dnnl::memory::desc& desc) {
        kept_.push_back(constant);
        return {desc, engine_, constant.get_data_handle()};
    }
    /// A row of numbers.
    dnnl::memory constant(const std::vector<float>& numbers) {
        const auto desc = onednn_plain({static_cast<std::int64_t>(numbers.size())});
        return constant(numbers.data(), desc, desc);
    }

    /// Adds a primitive with its arguments; its scratch memory is taken from the workspace of the run.
    void step(const dnnl::primitive_desc_base& description, const std::vector<std::pair<int, dnnl::memory>>& arguments) {
        call c;
        c.primitive = dnnl::primitive(description.get());
        c.owners = arguments;
        const dnnl::memory::desc scratch = description.scratchpad_desc();
        if (scratch.get_size() != 0) {
            scratch_ = std::max(scratch_, scratch.get_size());
            c.owners.emplace_back(DNNL_ARG_SCRATCHPAD, placed({place::form::scratch, 0, 0}, scratch));
        }
        for (const auto& [name, memory] : c.owners) c.arguments.push_back({name, memory.get()});
        const std::string_view implementation = description.impl_info_str();
        if (note_.find(implementation) == std::string::npos) note_.append(note_.empty() ? "" : ", ").append(implementation);
        calls_.push_back(std::move(c));
    }

    /// One run of bytes to copy from one memory into another.
    struct piece {
        dnnl::memory from, to;
        std::size_t from_offset = 0, to_offset = 0, bytes = 0;
    };
    /// Adds copies, left out where both sides are at one address. Large ones are shared out over the executor of the run.
    void copy(const std::vector<piece>& pieces) {
        constexpr std::size_t most = std::size_t{1} << 17;
        call c;
        for (const piece& p : pieces) {
            kept_.push_back(p.from);
            for (std::size_t at = 0; at < p.bytes; at += most)
                c.pieces.push_back({end_of(p.from, p.from_offset + at), end_of(p.to, p.to_offset + at), std::min(most, p.bytes - at)});
            c.copied += p.bytes;
        }
        if (note_.empty()) note_ = "copy";
        if (!c.pieces.empty()) calls_.push_back(std::move(c));
    }

    /// The kernel. A reference implementation stands in its note by that name.
    [[nodiscard]] static kernel finish(onednn_program program) {
        const std::size_t workspace = program.temporaries_ + aligned(program.scratch_);
        std::string note = program.note_;
        kernel made(std::move(program), workspace);
        made.note = std::move(note);
        return made;
    }

    bool run(const run_arguments& a) {
        if (std::all_of(calls_.begin(), calls_.end(), [](const call& c) { return !c.pieces.empty(); })) {
            for (const call& c : calls_) {
                // Waking other threads costs more than copying what fits a near cache.
                constexpr std::size_t worth_sharing = std::size_t{1} << 19;
                const executor_ref alone, executor = c.copied < worth_sharing ? alone : a.executor;
                executor.run(c.pieces.size(), [&](std::size_t i) { copy_piece(c.pieces[i], a); });
            }
            return true;
        }
        // Nothing in here runs tasks of the executor, which might be another run of this program on the same thread.
        const std::lock_guard<std::mutex> turn(*turn_);
        onednn_thread_scope scope(openmp_, threads_);
        for (bound& b : bounds_) {
            void* at = address(b.where, a);
            if (at == b.last) continue;
            if (dnnl_memory_set_data_handle(b.memory.get(), at) != dnnl_success) return false;
            b.last = at;
        }
        for (const call& c : calls_) {
            if (!c.pieces.empty()) {
                for (const moved& p : c.pieces) copy_piece(p, a);
                continue;
            }
            if (dnnl_primitive_execute(c.primitive.get(), stream_.get(), static_cast<int>(c.arguments.size()), c.arguments.data()) !=
                dnnl_success)
                return false;
        }
        return dnnl_stream_wait(stream_.get()) == dnnl_success;
    }

private:
    struct place {
        enum class form : std::uint8_t { input, result, workspace, scratch };
        form kind = form::input;
        std::size_t at = 0;
        std::size_t offset = 0;
    };
    struct bound {
        dnnl::memory memory;
        place where;
        void* last;
    };
    /// Where a piece begins: at a fixed address, or some bytes into a place of the run.
    struct end {
        std::byte* fixed = nullptr;
        place where{};
        std::size_t offset = 0;
    };
    struct moved {
        end from, to;
        std::size_t bytes = 0;
    };
    struct call {
        dnnl::primitive primitive;
        std::vector<std::pair<int, dnnl::memory>> owners;
        std::vector<dnnl_exec_arg_t> arguments;
        std::vector<moved> pieces;  // of a copy, which has no primitive
        std::size_t copied = 0;     // bytes of all pieces
    };

    [[nodiscard]] end end_of(const dnnl::memory& memory, std::size_t offset) const {
        for (const bound& b : bounds_)
            if (b.memory.get() == memory.get()) return {nullptr, b.where, offset};
        void* at = nullptr;
        dnnl_memory_get_data_handle(memory.get(), &at);
        return {static_cast<std::byte*>(at), {}, offset};
    }
    void copy_piece(const moved& p, const run_arguments& a) const {
        const auto at = [&](const end& e) {
            return (e.fixed != nullptr ? e.fixed : static_cast<std::byte*>(address(e.where, a))) + e.offset;
        };
        const std::byte* source = at(p.from);
        std::byte* target = at(p.to);
        if (source != target) std::memcpy(target, source, p.bytes);
    }

    static std::size_t aligned(std::size_t size) { return (size + 63) / 64 * 64; }

    dnnl::memory placed(place where, const dnnl::memory::desc& desc) {
        dnnl::memory m(desc, engine_, DNNL_MEMORY_NONE);
        bounds_.push_back({m, where, nullptr});
        return m;
    }
    void* address(const place& p, const run_arguments& a) const {
        switch (p.kind) {
            case place::form::input:
                return static_cast<std::byte*>(const_cast<void*>(a.inputs[p.at])) + p.offset;
            case place::form::result:
                return static_cast<std::byte*>(a.results[p.at]) + p.offset;
            case place::form::workspace:
                return a.workspace + p.at;
            case place::form::scratch:
                break;
        }
        return a.workspace + temporaries_;
    }

    std::unique_ptr<std::mutex> turn_ = std::make_unique<std::mutex>();
    int threads_;
    openmp_runtime openmp_ = openmp_runtime::loaded();
    dnnl::engine engine_;
    dnnl::stream stream_;
    std::vector<bound> bounds_;
    std::vector<call> calls_;
    std::vector<dnnl::memory> kept_;
    std::size_t temporaries_ = 0, scratch_ = 0;
    std::string note_;
};

/// Attributes that every primitive has: scratch memory comes from the caller.
[[nodiscard]] inline dnnl::primitive_attr onednn_attributes(const dnnl::post_ops& after = {}) {
    dnnl::primitive_attr attributes;
    attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
    if (after.len() != 0) attributes.set_post_ops(after);
    return attributes;
}

/// Whether what follows a primitive holds one function twice with different parameters: oneDNN 2.6 then computes both with the last ones.
[[nodiscard]] inline bool onednn_mixes_up(const dnnl::post_ops& after) {
    struct seen {
        dnnl::algorithm function;
        float alpha, beta;
    };
    std::vector<seen> all;
    for (int i = 0; i < after.len(); ++i) {
        if (after.kind(i) != dnnl::primitive::kind::eltwise) continue;
        seen one{};
        onednn_read_eltwise(after, i, one.function, one.alpha, one.beta);
        for (const seen& other : all)
            if (other.function == one.function && (other.alpha != one.alpha || other.beta != one.beta)) return true;
        all.push_back(one);
    }
    return false;
}

/// A primitive that the library would make, of whatever kind; empty where it has none.
struct onednn_primitive : dnnl::primitive_desc_base {
    onednn_primitive() = default;
    onednn_primitive(const dnnl::primitive_desc_base& description) : primitive_desc_base(description) {}

    /// Asks the library for the primitive that `onednn_primitive_desc` describes; `what` names it in the error.
    template <class Primitive, class... Arguments>
    [[nodiscard]] static outcome<onednn_primitive> ask(const dnnl::engine& engine, std::string_view what,
                                                       const dnnl::primitive_attr& attributes, const Arguments&... arguments) {
        if (onednn_mixes_up(attributes.get_post_ops()))
            return error{"oneDNN mixes up two functions of one kind behind a " + std::string(what)};
        const dnnl::primitive_desc_base made = onednn_primitive_desc<Primitive>(engine, attributes, arguments...);
        if (!made) return error{"oneDNN has no " + std::string(what) + " of this form"};
        return onednn_primitive(made);
    }
    [[nodiscard]] bool is_reference() const { return onednn_is_reference(impl_info_str()); }

    /// The kernel of this primitive alone, from input 0 to result 0.
    [[nodiscard]] kernel alone(onednn_program program) const {
        program.step(*this, {{DNNL_ARG_SRC, program.input(0, src_desc())}, {DNNL_ARG_DST, program.result(0, dst_desc())}});
        return onednn_program::finish(std::move(program));
    }
};

}  // namespace inlay::detail

#endif
