// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CONTROL_FLOW_BLOCK_PROGRAMS_HPP
#define INLAY_BACKEND_CONTROL_FLOW_BLOCK_PROGRAMS_HPP

#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include <inlay/codegen/kernel/kernel.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/core/shared_handle.hpp>
#include <inlay/graph/tensor.hpp>
#include <inlay/runtime/program.hpp>

namespace inlay {

/// The linked bodies of a program's branches and loops, by number, and what one run of each takes. Copies share them. Several threads may
/// run one body at once: each run takes memory that no other one has, which is kept for the next.
class block_programs {
public:
    /// The memory of one run of a body: write `inputs`, run, read `results`.
    class run {
    public:
        run(run&& other) noexcept
            : kept_(std::move(other.kept_)),
              of_(std::exchange(other.of_, nullptr)),
              number_(other.number_),
              memory_(std::move(other.memory_)) {}
        run& operator=(run&&) = delete;
        ~run() {
            if (of_ == nullptr) return;
            const std::scoped_lock held(of_->all[number_].lock);
            of_->all[number_].free.push_back(std::move(memory_));
        }

        std::vector<tensor>& inputs() { return memory_.inputs; }
        std::vector<tensor>& results() { return memory_.results; }
        [[nodiscard]] bool operator()(executor_ref executor) {
            return of_->all[number_].code->run(memory_.frame, memory_.inputs, memory_.results, executor).has_value();
        }

    private:
        friend class block_programs;
        struct memory {
            program_frame frame;
            std::vector<tensor> inputs, results;
        };
        struct block {
            block(std::optional<program> of, double cost) : code(std::move(of)), seconds(cost) {}
            std::optional<program> code;  // none: it is planned, and leaves
            double seconds;
            std::mutex lock;
            std::vector<memory> free;
        };
        struct shared : owner_count {
            std::deque<block> all;
            static void release(shared* s) { delete s; }
        };

        run(shared_handle<shared> kept, shared* of, std::size_t number, memory m)
            : kept_(std::move(kept)), of_(of), number_(number), memory_(std::move(m)) {}

        shared_handle<shared> kept_;
        shared* of_ = nullptr;
        std::size_t number_ = 0;
        memory memory_;
    };

    /// The same programs for one of them to call, which does not keep them: else they would keep each other for ever. They live as long as
    /// another copy does, as the bodies of whoever runs them.
    [[nodiscard]] block_programs from_inside() const {
        block_programs made;
        made.seen_ = all();
        return made;
    }

    [[nodiscard]] std::size_t size() const { return all() != nullptr ? all()->all.size() : 0; }
    /// What a run of a body takes, by its plan.
    [[nodiscard]] double seconds(std::size_t number) const { return all()->all[number].seconds; }
    /// Whether a body runs here.
    [[nodiscard]] bool is_linked(std::size_t number) const { return all()->all[number].code.has_value(); }
    /// Precondition: it is linked.
    [[nodiscard]] const program& code(std::size_t number) const { return *all()->all[number].code; }

    /// The next body. None: it is planned and does not run here, since the program leaves in another form.
    void add(std::optional<program> code, double seconds) {
        if (!shared_) shared_ = shared_handle<run::shared>(new run::shared);
        shared_->all.emplace_back(std::move(code), seconds);
    }
    void clear() { *this = {}; }

    /// Memory for a run of a body that is linked. Error: there is none.
    [[nodiscard]] outcome<run> begin(std::size_t number) const {
        run::block& b = all()->all[number];
        {
            const std::scoped_lock held(b.lock);
            if (!b.free.empty()) {
                run::memory taken = std::move(b.free.back());
                b.free.pop_back();
                return run(shared_, all(), number, std::move(taken));
            }
        }
        run::memory made;
        auto frame = b.code->make_frame();
        if (!frame) return frame.failure();
        made.frame = *std::move(frame);
        auto results = b.code->make_results();
        if (!results) return results.failure();
        made.results = *std::move(results);
        for (const port& p : b.code->inputs()) {
            made.inputs.emplace_back(p.element, p.extents);
            if (!made.inputs.back().ok()) return error{"the memory for an input of a body cannot be had"};
        }
        return run(shared_, all(), number, std::move(made));
    }

private:
    [[nodiscard]] run::shared* all() const { return shared_ ? shared_.get() : seen_; }

    shared_handle<run::shared> shared_;
    run::shared* seen_ = nullptr;
};

}  // namespace inlay

#endif
