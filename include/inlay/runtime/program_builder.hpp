// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_RUNTIME_PROGRAM_BUILDER_HPP
#define INLAY_RUNTIME_PROGRAM_BUILDER_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/codegen/kernel/device_memory.hpp>
#include <inlay/codegen/kernel/kernel.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/graph/tensor.hpp>
#include <inlay/runtime/convert.hpp>
#include <inlay/runtime/program.hpp>
#include <inlay/runtime/step_schedule.hpp>
#include <inlay/target/format.hpp>

namespace inlay {

/// The number of a buffer of a program being built.
using buffer_id = std::uint32_t;

/// Builds a program: first its inputs, constants and buffers, then its steps in the order they run, then its results. Each buffer is
/// written by one step, before the steps that read it. What is wrong is said by `finish`, in one sentence about the first fault.
class program_builder {
public:
    /// The next input of the program, row-major.
    buffer_id add_input(std::string name, element_type element, std::vector<std::int64_t> extents) {
        inputs_.push_back({std::move(name), element, extents});
        return add(use::input, inputs_.size() - 1, std::move(extents), plain_format(element));
    }

    /// A tensor known now, row-major. A conversion that reads it is done at once, and its result is a constant too.
    buffer_id add_constant(tensor value) {
        if (!value.ok()) fail("a constant of the program is no tensor; give it a type and elements");
        constants_.push_back(std::move(value));
        const tensor& t = constants_.back();
        return add(use::constant, constants_.size() - 1, t.extents(), plain_format(t.element()));
    }

    /// A memory other than the CPU's main one, in which buffers may stand: each that buffers name, once.
    void add_memory(memory_source source) { memories_.push_back(std::move(source)); }

    /// A tensor that a step makes.
    buffer_id add_buffer(std::vector<std::int64_t> extents, const format& f) { return add(use::made, 0, std::move(extents), f); }

    /// A step that runs a kernel, whose workspace stands where its first result does. Results that the kernel declares views of an input
    /// take that input's place where they can.
    void add_kernel(kernel k, std::span<const buffer_id> inputs, std::span<const buffer_id> results, step_facts facts = {}) {
        if (!k) fail("the kernel of step " + quoted_text(facts.label) + " is empty; add what a back end's emit gave");
        facts.note = k.note;
        const memory_scope there = results.empty() || results[0] >= buffers_.size() ? memory_scope() : buffers_[results[0]].order.scope;
        add_step(std::move(k), inputs, results, std::move(facts), there);
    }

    /// A step that takes a tensor from one memory to another, by a kernel that needs a workspace in the CPU's main memory at most:
    /// `facts.copied` are the bytes that cross. Both buffers have the same extents and element type.
    void add_copy(kernel k, buffer_id from, buffer_id to, step_facts facts) {
        if (from >= buffers_.size() || to >= buffers_.size()) return fail("a copy names a buffer that was never added");
        if (buffers_[from].extents != buffers_[to].extents || buffers_[from].order.element != buffers_[to].order.element)
            return fail("a copy's two buffers have different types; it changes memory and layout alone");
        facts.is_conversion = true;
        if (facts.label.empty()) facts.label = "copy " + to_string(buffers_[from].order) + " to " + to_string(buffers_[to].order);
        const buffer_id in[]{from}, out[]{to};
        add_step(std::move(k), in, out, std::move(facts), {});
    }

    /// A step that changes a tensor's layout: both buffers have the same extents and element type.
    void add_conversion(buffer_id from, buffer_id to, step_facts facts = {}) {
        if (from >= buffers_.size() || to >= buffers_.size()) return fail("a conversion names a buffer that was never added");
        const declared& source = buffers_[from];
        declared& made = buffers_[to];
        if (source.extents != made.extents)
            return fail("a conversion's two buffers have different extents; a conversion changes the layout alone");
        auto c = layout_conversion::make(source.extents, source.order, made.order);
        if (!c) return fail(c.failure().message);
        if (source.kind == use::constant && made.kind == use::made && !made.written) {
            // The element count of a constant in a blocked layout differs from its extents': it is kept as a plain block of elements.
            tensor converted(made.order.element, {static_cast<std::int64_t>(c->bytes_written() / size_of(made.order.element))});
            if (!converted.ok()) return fail("there is no memory for a converted constant");
            c->run(constants_[source.at].data(), converted.data());
            constants_.push_back(std::move(converted));
            made.kind = use::constant;
            made.at = constants_.size() - 1;
            made.written = true;
            return;
        }
        facts.is_conversion = true;
        if (facts.label.empty()) facts.label = "convert " + to_string(source.order) + " to " + to_string(made.order);
        const buffer_id in[]{from}, out[]{to};
        add_step(conversion_kernel(*c), in, out, std::move(facts), {});
    }

    /// The buffers that leave, in order; each must be row-major in the CPU's main memory. One may be listed twice, and an input or a
    /// constant may be a result.
    void set_results(std::span<const buffer_id> results, std::span<const std::string_view> names = {}) {
        results_.assign(results.begin(), results.end());
        result_names_.assign(names.begin(), names.end());
    }

    /// The program, its memory planned, its steps one after the other. The builder is empty afterwards.
    [[nodiscard]] outcome<program> finish() { return finish(step_schedule::serial(steps_.size())); }

    /// The same by a schedule, which numbers the steps as they were added: conversions that were done at once are none, those that are left
    /// out because their results have no elements may be named or not.
    [[nodiscard]] outcome<program> finish(const step_schedule& schedule) {
        if (fault_) return *std::exchange(fault_, std::nullopt);
        if (auto sound = check(); !sound) return sound.failure();
        const std::vector<bool> needed = steps_that_run();
        const std::vector<std::vector<std::uint32_t>> reads = steps_read();
        if (auto fits = check_schedule(schedule, reads, [&](std::size_t i) { return needed[i]; }); !fits) return fits.failure();
        std::vector<program::block> blocks;
        const std::vector<program::place> places = assign_places(needed, blocks);
        program p = assemble(needed, places);
        p.blocks_ = std::move(blocks);
        std::vector<std::uint32_t> number(needed.size(), none);
        for (std::uint32_t i = 0, next = 0; i < needed.size(); ++i)
            if (needed[i]) number[i] = next++;
        for (std::size_t i = 0; i < needed.size(); ++i)
            if (needed[i]) p.reads_from_.push_back(renumbered(reads[i], number));
        step_schedule of_those_that_run;
        for (const step_group& g : schedule.groups) {
            step_group to;
            for (const std::vector<std::uint32_t>& lane : g.lanes)
                if (auto kept = renumbered(lane, number); !kept.empty()) to.lanes.push_back(std::move(kept));
            if (!to.lanes.empty()) of_those_that_run.groups.push_back(std::move(to));
        }
        if (auto followed = p.follow(std::move(of_those_that_run)); !followed) return followed.failure();
        *this = {};
        return p;
    }

private:
    enum class use : std::uint8_t { input, constant, made };

    struct declared {
        use kind;
        std::size_t at;  // which input or constant
        std::vector<std::int64_t> extents;
        format order;
        std::size_t bytes;
        bool written;
    };
    struct planned_step {
        kernel code;
        std::vector<buffer_id> inputs, results;
        step_facts facts;
        memory_scope workspace;
    };
    static constexpr std::uint32_t none = 0xFFFF'FFFFu;

    void fail(std::string message) {
        if (!fault_) fault_ = error{std::move(message)};
    }

    buffer_id add(use kind, std::size_t at, std::vector<std::int64_t> extents, const format& f) {
        const auto count = element_count(extents);
        std::size_t bytes = 0;
        if (!count || *count > (std::int64_t{1} << 50) || size_of(f.element) == 0 || f.order.block == 0)
            fail("buffer " + std::to_string(buffers_.size()) + " of the program has no size in bytes: its element type is " +
                 std::string(name_of(f.element)) + "; give an element type of fixed size and extents that are not negative");
        else
            bytes = *count == 0 ? 0 : stored_bytes(extents, f);
        buffers_.push_back({kind, at, std::move(extents), f, bytes, kind != use::made});
        return static_cast<buffer_id>(buffers_.size() - 1);
    }

    void add_step(kernel k, std::span<const buffer_id> inputs, std::span<const buffer_id> results, step_facts facts,
                  memory_scope workspace) {
        const std::string where = "step " + std::to_string(steps_.size()) + ", " + quoted_text(facts.label) + ",";
        facts.bytes = 0;
        for (const buffer_id b : inputs) {
            if (b >= buffers_.size()) return fail(where + " reads a buffer that was never added");
            if (!buffers_[b].written)
                return fail(where + " reads buffer " + std::to_string(b) +
                            " before a step has written it; add the steps in the order they run");
            facts.bytes += buffers_[b].bytes;
        }
        for (const buffer_id b : results) {
            if (b >= buffers_.size()) return fail(where + " writes a buffer that was never added");
            if (buffers_[b].written)
                return fail(where + " writes buffer " + std::to_string(b) +
                            ", which is an input, a constant or written already; give each result a buffer of its own");
            buffers_[b].written = true;
            facts.bytes += buffers_[b].bytes;
        }
        if (!k.view_of.empty() && k.view_of.size() != results.size())
            return fail(where + " has " + std::to_string(results.size()) + " results and says of " + std::to_string(k.view_of.size()) +
                        " what they are views of; say it of each");
        for (const std::int32_t v : k.view_of)
            if (v >= static_cast<std::int32_t>(inputs.size())) return fail(where + " calls a result the view of an input that it has not");
        if (!k.view_at.empty() && k.view_at.size() != k.view_of.size())
            return fail(where + " says of " + std::to_string(k.view_of.size()) + " results what they are views of and of " +
                        std::to_string(k.view_at.size()) + " where they begin there; say it of each");
        for (std::size_t i = 0; i < k.view_at.size(); ++i) {
            if (k.view_of[i] < 0) continue;
            const std::size_t whole = buffers_[inputs[static_cast<std::size_t>(k.view_of[i])]].bytes, part = buffers_[results[i]].bytes;
            if (!lies_in(k.view_at[i], part, whole))
                return fail(where + " has a result of " + std::to_string(part) + " bytes stand from byte " + std::to_string(k.view_at[i]) +
                            " on in an input of " + std::to_string(whole));
        }
        if (!k.part_at.empty() && (k.part_at.size() != inputs.size() || results.size() != 1))
            return fail(where + " has " + std::to_string(inputs.size()) + " inputs and says of " + std::to_string(k.part_at.size()) +
                        " where they stand in its one result; say it of each");
        for (std::size_t i = 0; i < k.part_at.size(); ++i) {
            const std::size_t whole = buffers_[results[0]].bytes, part = buffers_[inputs[i]].bytes;
            if (k.part_at[i] >= 0 && !lies_in(k.part_at[i], part, whole))
                return fail(where + " has an input of " + std::to_string(part) + " bytes stand from byte " + std::to_string(k.part_at[i]) +
                            " on in a result of " + std::to_string(whole));
        }
        steps_.push_back({std::move(k), {inputs.begin(), inputs.end()}, {results.begin(), results.end()}, std::move(facts), workspace});
    }

    [[nodiscard]] static bool lies_in(std::int64_t at, std::size_t part, std::size_t whole) {
        return at >= 0 && part <= whole && static_cast<std::size_t>(at) <= whole - part;
    }

    /// The number of a memory, the CPU's main one being 0; one more than there are where it was never added.
    [[nodiscard]] std::uint32_t memory_of(memory_scope scope) const {
        if (scope == memory_scope{}) return 0;
        std::uint32_t at = 0;
        while (at < memories_.size() && memories_[at].scope() != scope) ++at;
        return at + 1;
    }

    [[nodiscard]] outcome<void> check() const {
        for (std::size_t b = 0; b < buffers_.size(); ++b)
            if (memory_of(buffers_[b].order.scope) > memories_.size())
                return error{"buffer " + std::to_string(b) + " of the program stands as " + to_string(buffers_[b].order) +
                             ", in a memory that the program was not given; add it with add_memory"};
        for (std::size_t i = 0; i < results_.size(); ++i) {
            const std::string where = "result " + std::to_string(i) + " of the program";
            if (results_[i] >= buffers_.size()) return error{where + " is a buffer that was never added"};
            const declared& d = buffers_[results_[i]];
            if (!d.written) return error{where + " is written by no step; add the step that makes it"};
            if (d.order.scope != memory_scope{} || (d.extents.size() > 1 && d.order != plain_format(d.order.element)))
                return error{where + " stands as " + to_string(d.order) + "; the outside takes row-major tensors, so add a conversion"};
        }
        return {};
    }

    /// A step whose results all have no elements has nothing to do.
    [[nodiscard]] std::vector<bool> steps_that_run() const {
        std::vector<bool> needed;
        for (const planned_step& s : steps_)
            needed.push_back(s.results.empty() ||
                             std::any_of(s.results.begin(), s.results.end(), [&](buffer_id b) { return buffers_[b].bytes != 0; }));
        return needed;
    }

    /// For each step the earlier ones whose results it reads, ascending.
    [[nodiscard]] std::vector<std::vector<std::uint32_t>> steps_read() const {
        std::vector<std::uint32_t> writer(buffers_.size(), none);
        std::vector<std::vector<std::uint32_t>> reads;
        for (std::uint32_t i = 0; i < steps_.size(); ++i) {
            std::vector<std::uint32_t>& from = reads.emplace_back();
            for (const buffer_id b : steps_[i].inputs)
                if (writer[b] != none) from.push_back(writer[b]);
            std::sort(from.begin(), from.end());
            from.erase(std::unique(from.begin(), from.end()), from.end());
            for (const buffer_id b : steps_[i].results) writer[b] = i;
        }
        return reads;
    }

    /// Those that have a number, by it.
    [[nodiscard]] static std::vector<std::uint32_t> renumbered(std::span<const std::uint32_t> steps,
                                                               std::span<const std::uint32_t> number) {
        std::vector<std::uint32_t> made;
        for (const std::uint32_t i : steps)
            if (number[i] != none) made.push_back(number[i]);
        return made;
    }

    /// Where each buffer stands; `blocks` gets the blocks of the arenas.
    [[nodiscard]] std::vector<program::place> assign_places(const std::vector<bool>& needed, std::vector<program::block>& blocks) const {
        using place = program::place;
        std::vector<std::uint32_t> slot(buffers_.size(), none);
        for (std::uint32_t i = 0; i < results_.size(); ++i)
            if (slot[results_[i]] == none) slot[results_[i]] = i;

        // A view joins the group of its input. A group with a result among it stands in that result's memory; a second result, or one
        // whose group is an input or a constant, stays apart, and its kernel copies.
        std::vector<buffer_id> root(buffers_.size());
        for (buffer_id b = 0; b < buffers_.size(); ++b) root[b] = b;
        for (const planned_step& s : steps_)
            for (std::size_t i = 0; i < s.code.view_of.size(); ++i) {
                if (s.code.view_of[i] < 0) continue;
                const buffer_id from = s.inputs[static_cast<std::size_t>(s.code.view_of[i])], to = s.results[i], head = root[from];
                if (buffers_[from].bytes != buffers_[to].bytes || buffers_[to].bytes == 0) continue;  // a slice is placed below
                if (buffers_[from].order.scope != buffers_[to].order.scope) continue;
                if (slot[to] != none && (slot[head] != none || buffers_[head].kind != use::made)) continue;
                if (slot[to] != none) slot[head] = slot[to];
                root[to] = head;
            }

        // A slice stands in what it is a slice of, and what is put together is made in its place, where either stands nowhere else: a group
        // moves into the group of the whole.
        struct within {
            buffer_id whole = none;
            std::size_t at = 0;
        };
        std::vector<within> inside(buffers_.size());
        const auto stands = [&](buffer_id b) {
            within found{root[b], 0};
            for (; inside[found.whole].whole != none; found.whole = inside[found.whole].whole) found.at += inside[found.whole].at;
            return found;
        };
        const auto is_own = [&](buffer_id b) { return buffers_[b].kind == use::made && slot[b] == none && inside[b].whole == none; };
        const auto put = [&](buffer_id part, buffer_id whole, std::int64_t at) {
            part = root[part];
            whole = root[whole];
            const buffer_id top = stands(whole).whole;
            if (at < 0 || static_cast<std::size_t>(at) % buffer::alignment != 0 || buffers_[part].bytes == 0) return;
            if (buffers_[part].order.scope != buffers_[whole].order.scope) return;
            if (is_own(part) && is_own(top) && part != top) inside[part] = {whole, static_cast<std::size_t>(at)};
        };
        for (std::size_t k = 0; k < steps_.size(); ++k) {
            const planned_step& s = steps_[k];
            if (!needed[k]) continue;
            for (std::size_t i = 0; i < s.code.view_at.size(); ++i)
                if (s.code.view_of[i] >= 0 && root[s.results[i]] == s.results[i])
                    put(s.results[i], s.inputs[static_cast<std::size_t>(s.code.view_of[i])], s.code.view_at[i]);
            for (std::size_t i = 0; i < s.code.part_at.size(); ++i) put(s.inputs[i], s.results[0], s.code.part_at[i]);
        }

        std::vector<std::uint32_t> block(buffers_.size(), none);
        for (buffer_id b = 0; b < buffers_.size(); ++b)
            if (is_own(b) && root[b] == b && buffers_[b].written && buffers_[b].bytes != 0) {
                block[b] = static_cast<std::uint32_t>(blocks.size());
                blocks.push_back({buffers_[b].bytes, memory_of(buffers_[b].order.scope)});
            }

        std::vector<place> places(buffers_.size());
        for (buffer_id b = 0; b < buffers_.size(); ++b) {
            const auto [head, at] = stands(b);
            if (buffers_[b].bytes == 0) continue;
            if (buffers_[head].kind == use::input)
                places[b] = {place::where::input, buffers_[head].at, 0};
            else if (buffers_[head].kind == use::constant)
                places[b] = {place::where::constant, buffers_[head].at, 0};
            else if (slot[head] != none)
                places[b] = {place::where::result, slot[head], 0};
            else if (block[head] != none)
                places[b] = {place::where::arena, at, block[head]};
        }
        return places;
    }

    [[nodiscard]] program assemble(const std::vector<bool>& needed, const std::vector<program::place>& places) {
        using where = program::place::where;
        program p;
        p.inputs_ = std::move(inputs_);
        p.constants_ = std::move(constants_);
        for (const memory_source& m : memories_) p.memories_.push_back({m, 0, {}});
        p.steps_.reserve(steps_.size() + 1);  // never without storage: its address tells programs apart
        for (std::size_t i = 0; i < steps_.size(); ++i) {
            if (!needed[i]) continue;
            planned_step& s = steps_[i];
            p.steps_.push_back({nullptr, static_cast<std::uint32_t>(p.reads_.size()), static_cast<std::uint32_t>(s.inputs.size()),
                                static_cast<std::uint32_t>(p.writes_.size()), static_cast<std::uint32_t>(s.results.size()),
                                memory_of(s.workspace)});
            for (const buffer_id b : s.inputs) {
                const auto at = static_cast<std::uint32_t>(p.reads_.size());
                const auto external = static_cast<std::uint32_t>(places[b].at);
                if (places[b].kind == where::input) p.input_reads_.push_back({at, external});
                if (places[b].kind == where::result) p.result_reads_.push_back({at, external});
                p.reads_.push_back(places[b]);
            }
            for (const buffer_id b : s.results) {
                if (places[b].kind == where::result)
                    p.result_writes_.push_back({static_cast<std::uint32_t>(p.writes_.size()), static_cast<std::uint32_t>(places[b].at)});
                // A view of an input or a constant is written by nobody: its kernel is given the same address twice and leaves it alone.
                if (places[b].kind == where::input)
                    p.input_views_.push_back({static_cast<std::uint32_t>(p.writes_.size()), static_cast<std::uint32_t>(places[b].at)});
                p.writes_.push_back(places[b]);
            }
            p.kernels_.push_back(std::move(s.code));
            p.facts_.push_back(std::move(s.facts));
        }
        for (std::size_t i = 0; i < p.steps_.size(); ++i) p.steps_[i].code = &p.kernels_[i];
        for (std::uint32_t i = 0; i < results_.size(); ++i) {
            const declared& d = buffers_[results_[i]];
            const program::place& at = places[results_[i]];
            p.results_.push_back({i < result_names_.size() ? result_names_[i] : "result" + std::to_string(i), d.order.element, d.extents});
            if (d.bytes != 0 && !(at.kind == where::result && at.at == i)) p.copies_.push_back({i, at});
        }
        return p;
    }

    std::vector<port> inputs_;
    std::vector<tensor> constants_;
    std::vector<declared> buffers_;
    std::vector<planned_step> steps_;
    std::vector<buffer_id> results_;
    std::vector<std::string> result_names_;
    std::vector<memory_source> memories_;
    std::optional<error> fault_;
};

}  // namespace inlay

#endif
