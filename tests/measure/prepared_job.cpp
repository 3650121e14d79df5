// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/measure/prepared_job.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "../codegen/nest_backends.hpp"
#include "candidate/plan_backends.hpp"
#include "codegen/device_toys.hpp"
#include "moody_backend.hpp"

using namespace inlay;

namespace {

const moody::list backends;

detail::travelling_job packed(const std::string& mood) {
    moody::job_of maker(mood);
    return detail::pack(maker.job(), backends);
}
std::string refused(const detail::travelling_job& job) {
    const auto p = detail::prepare(job, backends);
    return p.has_value() ? std::string() : p.failure().message;
}

/// The toy of one loop, whose kernels tell how many were made with them; it makes none for more than a number of nests.
struct together : toys::by_nests<together> {
    static constexpr std::string_view kind = "together", refines = "llvm";
    int most = 100;
    using options = option_list<option<"most", &together::most, "nests in a module">>;

    static constexpr auto strategies() {
        return strategy_table(strategy<"onnx.Add", "onnx.Mul", "onnx.Relu">(
            [](const together&, const region_view& r, value_id at, nest& into) -> outcome<void> {
                into.body.steps.push_back({std::string(r[at].op), r[at].operands[0], r[at].operands[r.has_operand(r[at], 1) ? 1 : 0]});
                return {};
            }));
    }
    [[nodiscard]] outcome<std::vector<kernel>> emit_together(std::span<const nest> nests) const {
        if (nests.size() > static_cast<std::size_t>(most)) return error{"there are too many"};
        std::vector<kernel> made;
        for (const nest& n : nests) {
            made.emplace_back(n.body);
            made.back().note = std::to_string(nests.size()) + " at once";
        }
        return made;
    }
};
static_assert(emits_together<together>);

/// Of a batch of so many calls, one of which is damaged: what the kernels say that were made together, by the number of their job.
std::map<std::size_t, std::string> notes_of(std::size_t calls, std::uint64_t threads, int most = 100) {
    const ir_module m = toys::program_of(toys::image(), [&](ir_builder& b, node_id x) {
        for (std::size_t i = 0; i < calls; ++i) x = b.call("onnx.Relu", {x}, {}, toys::image());
        return x;
    });
    together self;
    self.most = most;
    const backend_list<toys::rows, together> list(toys::rows{}, self);
    const candidate_set set = enumerate(m, list);
    detail::travelling_batch batch;
    batch.threads = threads;
    for (const candidate& c : set.candidates)
        if (c.backend == 1 && c.nodes.size() == 1) batch.jobs.push_back(detail::pack(pricing_job::of(c), list));
    REQUIRE(batch.jobs.size() >= calls);
    batch.jobs.resize(calls);
    batch.jobs.push_back(batch.jobs.front());
    batch.jobs.back().body.pop_back();
    batch.jobs.push_back(detail::pack(moody::conversion_job(), list));
    std::map<std::size_t, std::string> notes;
    std::size_t begun = 0;
    auto made = detail::emit_modules(batch, list, [&](std::size_t first) {
        CHECK(first == 0);
        ++begun;
    });
    CHECK(begun == 1);
    CHECK(made.late.empty());
    for (auto& [number, code] : made.kernels) {
        notes[number] = code.note;
        const auto prepared = detail::prepare(batch.jobs[number], list, [&] {
            std::map<std::size_t, kernel> one;
            one.emplace(number, std::move(code));
            return one.extract(number);
        }());
        REQUIRE(prepared.has_value());
        CHECK(prepared->code.note == notes[number]);
        CHECK(prepared->how.inputs.size() == 1);
    }
    return notes;
}

}  // namespace

TEST_CASE("a job is prepared with its borders, in the bytes of their formats") {
    const auto p = detail::prepare(packed("good"), backends);
    REQUIRE(p.has_value());
    REQUIRE(p->how.inputs.size() == 1);
    CHECK(p->how.inputs[0].bytes == 32);
    CHECK(p->how.results[0].bytes == 32);
    const auto c = detail::prepare(detail::pack(moody::conversion_job(), backends), backends);
    REQUIRE(c.has_value());
    CHECK(c->how.inputs[0].bytes == 32 * 14 * 14 * 4);
    CHECK(c->code);
}

TEST_CASE("a job whose tensors stand in a memory of the device's own is measured there") {
    const backend_list<device_toys::apart> list;
    const ir_module m =
        toys::program_of(toys::image(), [](ir_builder& b, node_id x) { return b.call("onnx.Relu", {x}, {}, toys::image()); });
    const candidate_set set = enumerate(m, list);
    REQUIRE(set.candidates.size() == 1);
    const auto made = detail::prepare(detail::pack(pricing_job::of(set.candidates[0]), list), list);
    if (!made) FAIL(made.failure().message);
    CHECK(made->how.inputs.empty());
    CHECK(made->how.results.empty());
    CHECK(made->code({}));
    device_toys::apart small;
    small.size = 8;
    const backend_list<device_toys::apart> none(small);
    const auto refused = detail::prepare(detail::pack(pricing_job::of(set.candidates[0]), none), none);
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.failure().message == "the toy has 8 bytes");
}

TEST_CASE("a job whose device is only played is not measured") {
    const backend_list<device_toys::played> list;
    const ir_module m =
        toys::program_of(toys::image(), [](ir_builder& b, node_id x) { return b.call("onnx.Relu", {x}, {}, toys::image()); });
    const candidate_set set = enumerate(m, list);
    REQUIRE(set.candidates.size() == 1);
    const auto refused = detail::prepare(detail::pack(pricing_job::of(set.candidates[0]), list), list);
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.failure().message ==
          "back end 'played' has its tensors in a memory that is not its own or is only played, where they are not measured; let it state "
          "its price");
}

TEST_CASE("a job for other back ends than these is refused in one sentence") {
    detail::travelling_job job = packed("good");
    job.backend = 5;
    CHECK(refused(job) == "the worker knows no back end number 5; measure with one executable on both sides");
    job = packed("good");
    job.kind = "onednn";
    CHECK(refused(job) == "the worker has another back end in the place of 'onednn'; measure with one executable on both sides");
    job = packed("good");
    job.version = "2";
    CHECK_FALSE(refused(job).empty());
    job = packed("good");
    job.options = {"colour", "red"};
    CHECK(refused(job).find("has no option 'colour'") != std::string::npos);
    job = packed("good");
    job.body.pop_back();
    CHECK_FALSE(refused(job).empty());
    job.body += "xx";
    CHECK_FALSE(refused(job).empty());
    job = packed("good");
    job.what = pricing_job::subject::conversion;
    CHECK_FALSE(refused(job).empty());
}

TEST_CASE("a conversion that cannot be is refused with the reason") {
    pricing_job job = moody::conversion_job();
    job.to.element = element_type::float16;
    CHECK(refused(detail::pack(job, backends)).find("the element types differ") != std::string::npos);
    job = moody::conversion_job();
    job.type = tensor_type(element_type::float32, {extent("n")});
    CHECK(refused(detail::pack(job, backends)) == "the bytes of a job are damaged; measure with one executable on both sides");
}

TEST_CASE("a worker reads a match again, and makes code by the composite that took it, joined ones too") {
    const ir_module m = toys::program_of(toys::image(), [](ir_builder& b, node_id x) {
        const node_id first = b.call("onnx.Relu", {x}, {}, toys::image());
        return b.call("onnx.Relu", {first}, {}, toys::image());
    });
    const backend_list<toys::joining> list;
    const candidate_set set = enumerate(m, list);
    std::string notes;
    for (const candidate& c : set.candidates) {
        const auto made = detail::prepare(detail::pack(pricing_job::of(c), list), list);
        REQUIRE_MESSAGE(made.has_value(), made.failure().message);
        notes += made->code.note + ", ";
    }
    CHECK(notes == "forwards, backwards, forwards, backwards, 2 at once, ");
}

TEST_CASE("a match that was damaged on the way is refused, or read as another one") {
    const ir_module m = toys::program_of(toys::image(), [](ir_builder& b, node_id x) {
        const node_id first = b.call("onnx.Relu", {x}, {}, toys::image());
        return b.call("onnx.Relu", {first}, {}, toys::image());
    });
    const backend_list<toys::joining> list;
    const candidate_set set = enumerate(m, list);
    REQUIRE_FALSE(set.candidates.empty());
    const detail::travelling_job sent = detail::pack(pricing_job::of(set.candidates.back()), list);
    for (std::size_t length = 0; length < sent.body.size(); ++length) {
        detail::travelling_job cut = sent;
        cut.body.resize(length);
        CHECK_FALSE(detail::prepare(cut, list).has_value());
    }
    for (std::size_t at = 0; at < sent.body.size(); ++at) {
        detail::travelling_job changed = sent;
        changed.body[at] = static_cast<char>(changed.body[at] ^ 0x41);
        const auto made = detail::prepare(changed, list);
        if (!made) CHECK_FALSE(made.failure().message.empty());
    }
}

TEST_CASE("back ends that emit together make a module for each thread of a batch, and what is damaged is left out") {
    using notes = std::map<std::size_t, std::string>;
    CHECK(notes_of(3, 1) == notes{{0, "3 at once"}, {1, "3 at once"}, {2, "3 at once"}});
    // Groups of numbers 0, 2, 4 and 1, 3, and the damaged one.
    CHECK(notes_of(5, 2) == notes{{0, "3 at once"}, {1, "2 at once"}, {2, "3 at once"}, {3, "2 at once"}, {4, "3 at once"}});
    CHECK(notes_of(1, 8) == notes{{0, "1 at once"}});
    CHECK(notes_of(3, 1, 2).empty());
}

TEST_CASE("a module that fails late fails all its jobs, one that fails early none") {
    together self;
    self.most = 1;
    const backend_list<together> list(self);
    moody::job_of first("onnx.Relu"), second("onnx.Relu");
    detail::travelling_batch batch;
    for (moody::job_of* maker : {&first, &second}) batch.jobs.push_back(detail::pack(maker->job(), list));
    const auto nothing = [](std::size_t) {};
    CHECK(detail::emit_modules(batch, list, nothing).late.empty());
    batch.deadline = 0;
    const auto made = detail::emit_modules(batch, list, nothing);
    CHECK(made.kernels.empty());
    CHECK(made.late == std::map<std::size_t, std::string>{{0, "there are too many"}, {1, "there are too many"}});
}
