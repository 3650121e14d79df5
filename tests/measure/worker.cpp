// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/measure/worker.hpp>

#include <string>
#include <vector>

#include <sys/wait.h>

#include <doctest/doctest.h>

#include "candidate/plan_backends.hpp"
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

/// What a process gives that is started as a worker with these bytes for a batch and nobody to hear it.
int status_of_worker(const std::string& batch) {
    const pid_t pid = fork();
    if (pid == 0) {
        const int file = memfd_create("batch", 0);
        if (write(file, batch.data(), batch.size()) != static_cast<ssize_t>(batch.size())) _exit(100);
        dup2(file, worker_batch_descriptor);
        if (file != worker_batch_descriptor) close(file);
        close(worker_result_descriptor);
        std::string name = "program", flag(worker_flag);
        char* arguments[]{name.data(), flag.data(), nullptr};
        const auto code = worker_main(2, arguments, backends);
        _exit(code ? *code : 101);
    }
    int status = 0;
    waitpid(pid, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 102;
}

}  // namespace

TEST_CASE("a process that was not started as a worker is left alone") {
    std::string name = "program", other = "--version";
    char* arguments[]{name.data(), other.data(), nullptr};
    CHECK_FALSE(worker_main(2, arguments, backends).has_value());
    CHECK_FALSE(worker_main(1, arguments, backends).has_value());
    CHECK_FALSE(worker_main(0, nullptr, backends).has_value());
}

TEST_CASE("a worker without a batch, or with a damaged one, ends with a status and does nothing") {
    CHECK(status_of_worker("") == 2);
    CHECK(status_of_worker("nonsense") == 2);
    CHECK(status_of_worker(std::string(5000, '\xFF')) == 2);
    CHECK(status_of_worker(std::string(4096, '\0') + detail::write_batch({})) == 2);  // nobody hears it
}

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
