// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_RUNTIME_PROGRAM_HPP
#define INLAY_RUNTIME_PROGRAM_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <inlay/codegen/kernel/device_memory.hpp>
#include <inlay/codegen/kernel/kernel.hpp>
#include <inlay/codegen/kernel/work_queue.hpp>
#include <inlay/core/buffer.hpp>
#include <inlay/core/executor.hpp>
#include <inlay/core/memory_plan.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/graph/tensor.hpp>
#include <inlay/runtime/program_frame.hpp>
#include <inlay/runtime/step_schedule.hpp>

namespace inlay {

/// A tensor that enters or leaves a program: its name, for people, and its type.
struct port {
    std::string name;
    element_type element = element_type::none;
    std::vector<std::int64_t> extents;

    friend bool operator==(const port&, const port&) = default;
};

/// What one step of a program is, for people, profiles and messages; the run itself does not look at it.
struct step_facts {
    std::string label;        // "Conv+Relu", "convert float32:plain to float32:channels_last"
    std::string backend;      // empty for a conversion
    std::uint32_t part = 0;   // the number of the part, or of the reading part for a conversion
    std::uint32_t nodes = 0;  // nodes of the graph in it
    std::uint64_t bytes = 0;  // read and written at its border; the builder fills it in
    bool is_conversion = false;
    std::string note;                // what the library chose; the builder takes it from the kernel
    std::uint32_t number = 0;        // of the candidate in its set, or of the conversion in its partition
    std::uint64_t copied = 0;        // bytes that a conversion copies from one memory into another
    bool wakes_own_threads = false;  // a library's, beside those of the run's executor
};

/// A whole computation, ready to run: steps, which of them run side by side, where each finds what it reads and puts what it makes. Made
/// by a `program_builder`; it owns its kernels and constants. Runs on several threads at once are safe where each has its own frame and
/// the kernels' states are.
class program {
public:
    program(program&&) noexcept = default;
    program& operator=(program&&) noexcept = default;
    program(const program&) = delete;
    program& operator=(const program&) = delete;

    [[nodiscard]] std::span<const port> inputs() const { return inputs_; }
    [[nodiscard]] std::span<const port> results() const { return results_; }
    /// The steps that run, in order. A step all of whose results have no elements is left out.
    [[nodiscard]] std::span<const step_facts> steps() const { return facts_; }
    /// For each step the earlier ones whose results it reads, ascending.
    [[nodiscard]] std::span<const std::vector<std::uint32_t>> reads() const { return reads_from_; }
    [[nodiscard]] const step_schedule& schedule() const { return schedule_; }
    [[nodiscard]] std::size_t arena_bytes() const { return plan_.total; }
    /// Of all lanes together.
    [[nodiscard]] std::size_t workspace_bytes() const { return sum_of(workspaces_); }
    /// What a frame takes of each memory other than the CPU's main one, workspaces included.
    [[nodiscard]] std::vector<std::pair<memory_scope, std::size_t>> device_bytes() const {
        std::vector<std::pair<memory_scope, std::size_t>> all;
        for (const other_memory& m : memories_) all.emplace_back(m.source.scope(), m.bytes + sum_of(m.workspaces));
        return all;
    }
    /// The most arena bytes in use at one step, or in one group of lanes, where each lane counts as a whole. Serially no plan takes less.
    [[nodiscard]] std::size_t live_bytes() const { return plan_.live; }

    /// Has the frames that are made from now on run by another schedule, of the numbers of `steps()`; those made before keep theirs. What
    /// steps of a lane hand on among themselves shares memory as if they ran alone; all else that is alive anywhere in a group of lanes is
    /// alive in all of it. Each lane has a workspace of its own. The error of `check_schedule`. Quadratic in the number of steps.
    [[nodiscard]] outcome<void> follow(step_schedule schedule) {
        if (auto fits = check_schedule(schedule, reads_from_, [](std::size_t) { return true; }); !fits) return fits;
        constexpr std::uint32_t unseen = buffer_life::nobody, many = unseen - 1;
        std::vector<buffer_life> lives(blocks_.size(), {0, unseen, 0, buffer_life::nobody}), in_lane = lives;
        std::vector<std::uint32_t> lane_of(blocks_.size(), unseen);
        std::vector<std::uint32_t> group_of;  // by lane of a group of several
        std::uint32_t time = 0, at = 0;       // of the program, where a group of lanes is one time; and of a lane
        const auto touch = [&](std::span<const place> places, std::uint32_t lane) {
            for (const place& p : places) {
                if (p.kind != place::where::arena) continue;
                for (const auto& [life, now] : {std::pair(&lives[p.block], time), std::pair(&in_lane[p.block], at)}) {
                    life->first = std::min(life->first, now);
                    life->last = now;
                }
                lane_of[p.block] = lane_of[p.block] == unseen || lane_of[p.block] == lane ? lane : many;
            }
        };
        workspaces_.assign(schedule.most_lanes(), 0);
        for (other_memory& m : memories_) m.workspaces = workspaces_;
        for (const step_group& g : schedule.groups) {
            for (std::size_t lane = 0; lane < g.lanes.size(); ++lane) {
                const bool alone = g.lanes.size() == 1;
                const std::uint32_t number = alone ? many : static_cast<std::uint32_t>(group_of.size());
                if (!alone) group_of.push_back(time);
                for (const std::uint32_t i : g.lanes[lane]) {
                    const step& s = steps_[i];
                    touch(std::span(reads_).subspan(s.reads, s.read_count), number);
                    touch(std::span(writes_).subspan(s.writes, s.write_count), number);
                    const std::size_t lines = (s.code->workspace_bytes + buffer::alignment - 1) / buffer::alignment;
                    std::size_t& most = (s.memory == 0 ? workspaces_ : memories_[s.memory - 1].workspaces)[lane];
                    most = std::max(most, lines * buffer::alignment);
                    time += alone;
                    ++at;
                }
            }
            ++time;
        }
        plan_ = plan_memory_of_lanes(0, lives, in_lane, lane_of, group_of);
        for (std::uint32_t m = 1; m <= memories_.size(); ++m) {
            const memory_plan there = plan_memory_of_lanes(m, lives, in_lane, lane_of, group_of);
            for (std::size_t b = 0; b < blocks_.size(); ++b)
                if (blocks_[b].memory == m) plan_.offsets[b] = there.offsets[b];
            memories_[m - 1].bytes = there.total;
        }
        schedule_ = std::move(schedule);
        starts_steps_ = std::any_of(steps_.begin(), steps_.end(), [](const step& s) { return static_cast<bool>(s.code->queue()); });
        return {};
    }

    /// Memory for one run at a time. Error: it cannot be had, or what the device says that has another memory than the CPU's main one.
    [[nodiscard]] outcome<program_frame> make_frame() const {
        program_frame f;
        const std::size_t bytes = arena_bytes() + workspace_bytes() + buffer::alignment;
        f.memory_ = buffer(bytes);
        if (f.memory_.size() != bytes)
            return error{"the program needs " + std::to_string(bytes) +
                         " bytes to work in and the system does not give them; free memory or partition a smaller model"};
        f.program_ = steps_.data();
        std::byte* arena = f.memory_.data();
        for (const other_memory& m : memories_) {
            auto there = m.source.allocate(std::max(m.bytes + sum_of(m.workspaces), buffer::alignment));
            if (!there) return there.failure();
            f.elsewhere_.push_back(*std::move(there));
        }
        const auto base_of = [&](const place& p) {
            const std::uint32_t m = blocks_[p.block].memory;
            return m == 0 ? arena : f.elsewhere_[m - 1].address();
        };
        f.schedule_ = schedule_;
        f.arguments_.workspace = arena + arena_bytes();
        std::byte* nothing = f.arguments_.workspace;  // where tensors without elements stand
        for (const std::size_t size : workspaces_) {
            f.lanes_.emplace_back().workspace = nothing;
            nothing += size;
        }
        f.failed_.resize(workspaces_.size());
        if (starts_steps_) f.recorded_ = to_record();
        f.reads_.reserve(reads_.size());
        f.writes_.reserve(writes_.size());
        for (const place& p : reads_) {
            switch (p.kind) {
                case place::where::arena:
                    f.reads_.push_back(base_of(p) + plan_.offsets[p.block] + p.at);
                    break;
                case place::where::constant:
                    f.reads_.push_back(constants_[p.at].data());
                    break;
                default:
                    f.reads_.push_back(nothing);
            }
        }
        for (const place& p : writes_) {
            // A view of a constant is given the constant's own address, which its kernel leaves alone.
            const bool view = p.kind == place::where::constant;
            f.writes_.push_back(p.kind == place::where::arena ? base_of(p) + plan_.offsets[p.block] + p.at
                                : view                        ? const_cast<std::byte*>(constants_[p.at].data())
                                                              : nothing);
        }
        return f;
    }

    /// Zero tensors of the results' types, for `run` to write to. Error: the memory cannot be had.
    [[nodiscard]] outcome<std::vector<tensor>> make_results() const {
        std::vector<tensor> made;
        for (const port& p : results_) {
            made.emplace_back(p.element, p.extents);
            if (!made.back().ok())
                return error{"there is no memory for result " + quoted_text(p.name) + ", " + to_string(made.back().type()) +
                             "; free memory or partition a smaller model"};
        }
        return made;
    }

    /// Runs the program once on the given inputs, with memory of its own. Error: an input of another type than the program takes, no
    /// memory, or a kernel that reports a failure.
    [[nodiscard]] outcome<std::vector<tensor>> run(std::span<const tensor> inputs, executor_ref executor = {}) const {
        auto frame = make_frame();
        if (!frame) return frame.failure();
        auto results = make_results();
        if (!results) return results.failure();
        if (auto done = run(*frame, inputs, *results, executor); !done) return done.failure();
        return results;
    }

    /// The same, in memory that the caller keeps: allocates nothing where it succeeds. The results must be of the results' types and
    /// share no memory with each other or with the inputs; one that does is an error.
    ///
    /// Steps of a lane, one behind the other, that a device does from one queue are started without a wait between them; the queue is
    /// waited for before a step that is not of it, and at the lane's end. A failure that shows then is told of all of them. Those that
    /// touch memory of the frame alone, outside the CPU's main one, are recorded by the frame, where the queue can, and started in one
    /// piece.
    [[nodiscard]] outcome<void> run(program_frame& frame, std::span<const tensor> inputs, std::span<tensor> results,
                                    executor_ref executor = {}) const {
        if (auto bound = bind(frame, inputs, results, executor); !bound) return bound;
        const auto at_once = [](std::uint32_t, std::uint32_t, auto&& work) { return work(); };
        if (auto ran = starts_steps_ ? run_queues(frame) : run_steps(frame, at_once); !ran) return ran;
        deliver(inputs, results);
        return {};
    }

    /// The three parts of a run, for who wants to do something around steps: check inputs and results and note their addresses; the steps
    /// by the frame's schedule; copy the results that no step writes.
    [[nodiscard]] outcome<void> bind(program_frame& frame, std::span<const tensor> inputs, std::span<tensor> results,
                                     executor_ref executor) const {
        if (frame.program_ != steps_.data() || frame.reads_.size() != reads_.size() || frame.writes_.size() != writes_.size())
            return error{"the frame was made by another program; make one with this program's make_frame"};
        if (auto fits = check(inputs, results); !fits) return fits;
        for (const patch& p : input_reads_) frame.reads_[p.table] = inputs[p.external].data();
        for (const patch& p : result_reads_) frame.reads_[p.table] = results[p.external].data();
        for (const patch& p : result_writes_) frame.writes_[p.table] = results[p.external].data();
        for (const patch& p : input_views_) frame.writes_[p.table] = const_cast<std::byte*>(inputs[p.external].data());
        frame.arguments_.executor = executor;
        return {};
    }
    /// Where step i finds its inputs and puts its results in a bound frame, for who looks at them around a step.
    [[nodiscard]] run_arguments arguments_of(const program_frame& frame, std::size_t i) const {
        run_arguments made;
        made.inputs = frame.reads_.data() + steps_[i].reads;
        made.results = frame.writes_.data() + steps_[i].writes;
        return made;
    }
    /// Each step by `around(i, lane, work)`, which gives what `work()` gives: whether it succeeded. Those of several lanes are called at
    /// the same time. A step that fails ends its lane, and the run with its group; of several the error names that of the least number.
    template <class Around>
    [[nodiscard]] outcome<void> run_steps(program_frame& frame, Around&& around) const {
        return run_groups(frame, [&](run_arguments& arguments, std::span<const std::uint32_t> lane, std::size_t number) {
            for (const std::uint32_t i : lane)
                if (!around(i, static_cast<std::uint32_t>(number), [&] { return run_step(frame, arguments, steps_[i], number); }))
                    return detail::failed_steps{i, i};
            return detail::failed_steps();
        });
    }
    void deliver(std::span<const tensor> inputs, std::span<tensor> results) const {
        for (const auto& [to, from] : copies_) {
            const std::byte* source = from.kind == place::where::input      ? inputs[from.at].data()
                                      : from.kind == place::where::constant ? constants_[from.at].data()
                                                                            : static_cast<const tensor&>(results[from.at]).data();
            if (results[to].bytes() != 0) std::memcpy(results[to].data(), source, results[to].bytes());
        }
    }

private:
    friend class program_builder;

    program() = default;

    /// Where a buffer stands: in the arena from byte `at` of a block on, or input, constant or result number `at`; nowhere if it has no
    /// bytes.
    struct place {
        enum class where : std::uint8_t { nowhere, arena, input, constant, result };

        where kind = where::nowhere;
        std::size_t at = 0;
        std::uint32_t block = 0;
    };
    struct step {
        const kernel* code;
        std::uint32_t reads, read_count, writes, write_count;  // where its addresses stand in the tables
        std::uint32_t memory;                                  // in which its workspace stands
    };
    /// A block of an arena.
    struct block {
        std::size_t bytes;
        std::uint32_t memory;  // 0: the CPU's main one; else the number of another and 1
    };
    /// A memory other than the CPU's main one, with what its arena takes, and workspaces by lane behind that.
    struct other_memory {
        memory_source source;
        std::size_t bytes = 0;
        std::vector<std::size_t> workspaces;
    };
    struct patch {
        std::uint32_t table, external;
    };
    struct copy {
        std::uint32_t result;
        place from;
    };

    [[nodiscard]] static std::size_t sum_of(const std::vector<std::size_t>& bytes) {
        std::size_t sum = 0;
        for (const std::size_t b : bytes) sum += b;
        return sum;
    }

    /// A place for each block of a memory. Those that one lane alone touches stand together, in a block of the lane.
    [[nodiscard]] memory_plan plan_memory_of_lanes(std::uint32_t memory, std::vector<buffer_life> lives, std::vector<buffer_life> in_lane,
                                                   std::span<const std::uint32_t> lane_of, std::span<const std::uint32_t> group_of) const {
        std::vector<std::vector<std::uint32_t>> own(group_of.size());
        for (std::uint32_t b = 0; b < blocks_.size(); ++b) {
            lives[b].bytes = in_lane[b].bytes = blocks_[b].memory == memory ? blocks_[b].bytes : 0;
            if (lane_of[b] < own.size()) own[lane_of[b]].push_back(b), lives[b].bytes = 0;
        }
        std::vector<memory_plan> lanes;
        for (std::size_t l = 0; l < own.size(); ++l) {
            std::vector<buffer_life> here;
            for (const std::uint32_t b : own[l]) here.push_back(in_lane[b]);
            lanes.push_back(plan_memory(here));
            lives.push_back({lanes.back().total, group_of[l], group_of[l], buffer_life::nobody});
        }
        memory_plan whole = plan_memory(lives);
        for (std::size_t l = 0; l < own.size(); ++l)
            for (std::size_t i = 0; i < own[l].size(); ++i)
                whole.offsets[own[l][i]] = whole.offsets[blocks_.size() + l] + lanes[l].offsets[i];
        return whole;
    }

    /// What `work(code, arguments)` gives for the arguments of a step.
    template <class Work>
    bool with_arguments(const program_frame& frame, run_arguments& arguments, const step& s, std::size_t lane, Work&& work) const {
        arguments.inputs = frame.reads_.data() + s.reads;
        arguments.results = frame.writes_.data() + s.writes;
        if (s.memory == 0) return work(*s.code, arguments);
        const other_memory& m = memories_[s.memory - 1];
        run_arguments there = arguments;
        there.workspace = frame.elsewhere_[s.memory - 1].address() + m.bytes;
        for (std::size_t before = 0; before < lane; ++before) there.workspace += m.workspaces[before];
        return work(*s.code, there);
    }
    bool run_step(const program_frame& frame, run_arguments& arguments, const step& s, std::size_t lane) const {
        return with_arguments(frame, arguments, s, lane, [](const kernel& code, const run_arguments& a) { return code(a); });
    }

    [[nodiscard]] bool start_each(const program_frame& frame, run_arguments& arguments, std::span<const std::uint32_t> steps,
                                  std::size_t lane) const {
        const auto start = [](const kernel& code, const run_arguments& a) { return code.start(a); };
        return std::all_of(steps.begin(), steps.end(),
                           [&](std::uint32_t i) { return with_arguments(frame, arguments, steps_[i], lane, start); });
    }
    /// Steps that the frame records. Where that fails, they are started one by one from then on.
    [[nodiscard]] bool start_recorded(program_frame& frame, run_arguments& arguments, std::span<const std::uint32_t> steps,
                                      std::size_t lane) const {
        detail::recorded_steps& r = frame.recorded_[steps.front()];
        const work_queue& queue = steps_[steps.front()].code->queue();
        if (r.runs < 2 && ++r.runs == 2 && queue.begin_recording()) {
            const bool is_whole = start_each(frame, arguments, steps, lane);
            recorded_work work = queue.end_recording();
            if (is_whole) r.work = std::move(work);
        }
        return r.work ? r.work.start() : start_each(frame, arguments, steps, lane);
    }
    /// What a frame is to record: by step, in lanes that run alone.
    [[nodiscard]] std::vector<detail::recorded_steps> to_record() const {
        std::vector<detail::recorded_steps> made(steps_.size());
        const auto stays = [&](std::span<const place> places) {
            return std::all_of(places.begin(), places.end(), [&](const place& p) {
                return p.kind == place::where::nowhere || (p.kind == place::where::arena && blocks_[p.block].memory != 0);
            });
        };
        for (const step_group& g : schedule_.groups) {
            if (g.lanes.size() != 1) continue;
            std::uint32_t first = 0;
            work_queue before;
            for (const std::uint32_t i : g.lanes.front()) {
                const step& s = steps_[i];
                work_queue here = s.code->queue();
                if (here && !(here.records() && stays(std::span(reads_).subspan(s.reads, s.read_count)) &&
                              stays(std::span(writes_).subspan(s.writes, s.write_count))))
                    here = {};
                if (here && here != before) first = i;
                if (here) ++made[first].count;
                before = here;
            }
        }
        return made;
    }
    /// The steps of a lane. What has been started is waited for in any case: memory that it uses is the frame's.
    [[nodiscard]] detail::failed_steps run_lane(program_frame& frame, run_arguments& arguments, std::span<const std::uint32_t> lane,
                                                std::size_t number) const {
        work_queue open;
        detail::failed_steps started;
        for (std::size_t at = 0, count = 1; at < lane.size(); at += count) {
            const std::uint32_t i = lane[at];
            const work_queue& queue = steps_[i].code->queue();
            count = 1;
            if (open && open != queue) {
                if (!open.wait()) return started;
                open = {};
            }
            if (!queue) {
                if (!run_step(frame, arguments, steps_[i], number)) return {i, i};
                continue;
            }
            count = std::max<std::size_t>(frame.recorded_[i].count, 1);
            if (!open) started.first = i;
            open = queue;
            started.last = lane[at + count - 1];
            const std::span<const std::uint32_t> steps = lane.subspan(at, count);
            if (count > 1 ? start_recorded(frame, arguments, steps, number) : start_each(frame, arguments, steps, number)) continue;
            return open.wait() ? detail::failed_steps{i, started.last} : started;
        }
        return !open || open.wait() ? detail::failed_steps() : started;
    }
    [[nodiscard]] outcome<void> run_queues(program_frame& frame) const {
        return run_groups(frame, [&](run_arguments& arguments, std::span<const std::uint32_t> lane, std::size_t number) {
            return run_lane(frame, arguments, lane, number);
        });
    }
    /// The lanes of each group by `run(arguments, steps, number)`, at the same time where there are several.
    template <class RunLane>
    [[nodiscard]] outcome<void> run_groups(program_frame& frame, RunLane&& run) const {
        for (const step_group& g : frame.schedule_.groups) {
            const std::size_t lanes = g.lanes.size();
            if (lanes == 1)
                frame.failed_[0] = run(frame.arguments_, g.lanes.front(), 0);
            else
                frame.arguments_.executor.run(
                    lanes, [&](std::size_t lane) { frame.failed_[lane] = run(frame.lanes_[lane], g.lanes[lane], lane); });
            detail::failed_steps least;
            for (std::size_t lane = 0; lane < lanes; ++lane)
                if (frame.failed_[lane].first < least.first) least = frame.failed_[lane];
            if (least.first != least.none) return steps_failed(least);
        }
        return {};
    }
    [[nodiscard]] error steps_failed(const detail::failed_steps& failed) const {
        if (failed.first == failed.last) return step_failed(failed.first);
        const step_facts& f = facts_[failed.first];
        return {"one of the steps " + std::to_string(failed.first) + " to " + std::to_string(failed.last) + ", which back end " +
                quoted_text(f.backend) + " started one behind the other from part " + std::to_string(f.part) +
                " on, reported a failure; profile the program to see which one"};
    }
    [[nodiscard]] error step_failed(std::size_t i) const {
        const step_facts& f = facts_[i];
        return {"step " + std::to_string(i) + ", " + quoted_text(f.label) + " of back end " + quoted_text(f.backend) + " in part " +
                std::to_string(f.part) + ", reported a failure; run with another partition to leave it out"};
    }

    [[nodiscard]] outcome<void> check(std::span<const tensor> inputs, std::span<const tensor> results) const {
        const auto counts = [](const char* what, std::size_t given, std::size_t wanted) {
            return error{"the program has " + std::to_string(wanted) + " " + what + " and was given " + std::to_string(given) +
                         "; give one tensor for each, in order"};
        };
        if (inputs.size() != inputs_.size()) return counts("inputs", inputs.size(), inputs_.size());
        if (results.size() != results_.size()) return counts("results", results.size(), results_.size());
        for (std::size_t i = 0; i < inputs.size(); ++i)
            if (!fits(inputs[i], inputs_[i])) return misfit("input", i, inputs[i], inputs_[i]);
        for (std::size_t i = 0; i < results.size(); ++i) {
            if (!fits(results[i], results_[i])) return misfit("result", i, results[i], results_[i]);
            if (results[i].bytes() == 0) continue;
            bool shared = false;
            for (const tensor& t : inputs) shared = shared || t.data() == results[i].data();
            for (const tensor& t : results.first(i)) shared = shared || t.data() == results[i].data();
            if (shared)
                return error{"result " + quoted_text(results_[i].name) +
                             " shares its memory with an input or another result; give it a tensor of its own"};
        }
        return {};
    }
    static bool fits(const tensor& t, const port& p) { return t.ok() && t.element() == p.element && t.extents() == p.extents; }
    static error misfit(const char* what, std::size_t i, const tensor& given, const port& wanted) {
        const tensor_type type(wanted.element, shape(wanted.extents.begin(), wanted.extents.end()));
        return {std::string(what) + " " + std::to_string(i) + " (" + quoted_text(wanted.name) + ") is " +
                (given.ok() ? to_string(given.type()) : "no tensor") + " where the program has " + to_string(type) +
                "; give a tensor of that type"};
    }

    std::vector<port> inputs_, results_;
    std::vector<kernel> kernels_;
    std::vector<tensor> constants_;
    std::vector<step> steps_;
    std::vector<step_facts> facts_;
    std::vector<place> reads_, writes_;
    std::vector<patch> input_reads_, result_reads_, result_writes_, input_views_;
    std::vector<copy> copies_;
    std::vector<block> blocks_;
    std::vector<other_memory> memories_;
    std::vector<std::vector<std::uint32_t>> reads_from_;
    step_schedule schedule_;
    memory_plan plan_;
    std::vector<std::size_t> workspaces_;  // bytes by lane
    bool starts_steps_ = false;            // whether a device does some, from a queue
};

}  // namespace inlay

#endif
