// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
// Compiled alone: it counts what the whole process allocates.
#include <inlay/backend/cpu_simd/product_layer_norm.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/backend/cpu_simd/winograd_convolution.hpp>
#include <inlay/backend/thread_limit.hpp>
#include <inlay/codegen/kernel/denormals_flushed.hpp>
#include <inlay/codegen/kernel/weight_store.hpp>
#include <inlay/runtime/program_builder.hpp>

#include "../core/executors.hpp"

using namespace inlay;

namespace {

const simd::kernel_table& widest() {
    std::size_t i = instruction_set_names.size() - 1;
    while (!processor_has(static_cast<instruction_set>(i)) || simd::kernels_for(static_cast<instruction_set>(i)) == nullptr) --i;
    return *simd::kernels_for(static_cast<instruction_set>(i));
}

/// Packed weights that are no more than some numbers.
simd::panels some_weights(std::size_t depth, std::size_t columns, std::size_t vectors, weight_store& store) {
    return simd::panels::filled(depth, columns, vectors, widest().lanes, &store, digest_builder().finish(), [&](simd::panels& to) {
        for (std::size_t d = 0; d < depth; ++d)
            to.set_row(d, [&](std::size_t c) { return static_cast<float>((d * 7 + c * 3) % 11) / 64 - 0.08f; });
    });
}

/// As the back end hands kernels out.
template <class State>
kernel finished(State state, std::size_t threads) {
    const std::size_t workspace = state.workspace();
    return detail::with_thread_limit(kernel(flushing<State>{std::move(state)}, workspace), threads);
}

constexpr std::size_t rows = 64, depth = 256, columns = 256;

/// A product of `rows` x `depth` and `depth` x `columns`, whose rows are normalised.
kernel product(std::size_t threads, weight_store& store) {
    simd::product_layer_norm k;
    k.product.table = &widest();
    k.product.rows = rows;
    k.product.depth = depth;
    k.product.columns = columns;
    k.product.size = simd::best_tile(widest(), rows, columns);
    k.product.a.batches = k.product.results = {0};
    k.product.a.row = depth;
    k.product.result_row = columns;
    k.product.packed = some_weights(depth, columns, k.product.size.vectors, store);
    k.norm.row = widest().normalise;
    k.norm.rows = rows;
    k.norm.job.count = columns;
    k.norm.job.epsilon = 1e-5f;
    k.plan(threads);
    return finished(std::move(k), threads);
}

constexpr std::ptrdiff_t channels = 128, side = 28;

/// A convolution in Winograd's form with channels last. Its blocks are so many that two threads have a workspace each.
kernel convolution(std::size_t threads, weight_store& store) {
    simd::winograd_convolution k;
    k.table = &widest();
    k.shape.inputs = k.shape.outputs = channels;
    k.shape.kernel = {1, 3, 3};
    k.shape.before = {0, 1, 1};
    k.shape.x = k.shape.y = {1, side, side};
    k.x = k.y = simd::image_order::of(layout::channels_last(), channels, k.shape.x);
    k.bias.assign(k.m_columns(), 0.5f);
    k.plan(threads);
    k.filter = some_weights(k.matrices() * channels, k.m_columns(), k.size.vectors, store);
    return finished(std::move(k), threads);
}

buffer some_floats(std::size_t count) {
    buffer made(count * sizeof(float));
    for (std::size_t i = 0; i < count; ++i) reinterpret_cast<float*>(made.data())[i] = static_cast<float>(i % 13) / 8 - 0.7f;
    return made;
}

/// What a kernel makes of one input, in memory of its own.
buffer run(const kernel& k, const buffer& input, std::size_t results, executor_ref executor) {
    buffer result(results * sizeof(float)), workspace(k.workspace_bytes);
    const void* in[] = {input.data()};
    void* out[] = {result.data()};
    const bool ran = k({in, out, workspace.data(), executor});
    return ran ? result : buffer();
}

bool same(const buffer& a, const buffer& b) { return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size()) == 0; }

}  // namespace

TEST_CASE("kernels that several threads make and run at once, each with an executor of its own, give what one thread gives") {
    constexpr std::size_t places = side * side * channels;
    const buffer left = some_floats(rows * depth), image = some_floats(places);
    weight_store store;
    const kernel one_product = product(2, store), one_convolution = convolution(2, store);
    const buffer normalised = run(one_product, left, rows * columns, {}), convolved = run(one_convolution, image, places, {});
    REQUIRE(normalised.size() != 0);
    REQUIRE(convolved.size() != 0);
    weight_store shared;
    std::atomic<int> wrong = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&] {
            // Threads that a thread sanitizer sees: what oneTBB does is invisible to it.
            inlay_test::thread_executor own{2};
            const executor_ref executor(own);
            const kernel product_here = product(2, shared), convolution_here = convolution(2, shared);
            for (int round = 0; round < 5; ++round)
                for (const auto& [p, c] : {std::pair(&one_product, &one_convolution), {&product_here, &convolution_here}}) {
                    wrong += !same(run(*p, left, rows * columns, executor), normalised);
                    wrong += !same(run(*c, image, places, executor), convolved);
                }
        });
    for (std::thread& t : threads) t.join();
    CHECK(wrong == 0);
    CHECK(shared.count() == 2);
}

#if defined(__GLIBC__) && !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__) && !defined(__clang__)
namespace {

std::atomic<bool> counts = false;
std::atomic<std::size_t> allocations = 0;

void note() {
    if (counts.load(std::memory_order_relaxed)) allocations.fetch_add(1, std::memory_order_relaxed);
}

/// Two threads, of which one stands by: sharing work out allocates nothing.
class standing_pair {
public:
    standing_pair() : other_([this] { stand_by(); }) {}
    ~standing_pair() {
        count_ = 0;
        ends_ = true;
        begin();
        other_.join();
    }
    standing_pair(const standing_pair&) = delete;
    standing_pair& operator=(const standing_pair&) = delete;

    [[nodiscard]] static std::size_t threads() { return 2; }
    template <class Task>
    void run(std::size_t count, Task&& task) {
        task_ = &task;
        call_ = [](const void* of, std::size_t i) { (*static_cast<const std::remove_reference_t<Task>*>(of))(i); };
        count_ = count;
        begin();
        work();
        while (!is_done_.load(std::memory_order_acquire)) std::this_thread::yield();
    }

private:
    void begin() {
        next_ = 0;
        is_done_ = false;
        round_.fetch_add(1, std::memory_order_release);
        round_.notify_one();
    }
    void work() {
        for (std::size_t i; (i = next_.fetch_add(1)) < count_;) call_(task_, i);
    }
    void stand_by() {
        for (std::uint32_t seen = 0;; ++seen) {
            round_.wait(seen, std::memory_order_acquire);
            if (ends_) return;
            work();
            is_done_.store(true, std::memory_order_release);
        }
    }

    const void* task_ = nullptr;
    void (*call_)(const void*, std::size_t) = nullptr;
    std::size_t count_ = 0;
    std::atomic<std::size_t> next_ = 0;
    std::atomic<bool> is_done_ = false;
    std::atomic<std::uint32_t> round_ = 0;
    bool ends_ = false;
    std::thread other_;
};
static_assert(executor<standing_pair>);

}  // namespace

// glibc's own functions under the names by which they can be called from what replaces them; `operator new` calls `malloc`.
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

void* malloc(std::size_t size) noexcept {
    note();
    return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) noexcept {
    note();
    return __libc_calloc(count, size);
}
void* realloc(void* old, std::size_t size) noexcept {
    note();
    return __libc_realloc(old, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
    note();
    return __libc_memalign(alignment, size);
}
}

TEST_CASE("a run in memory that the caller keeps allocates nothing, on one thread and on two, with steps side by side or not") {
    const format plain = plain_format(element_type::float32), last{{}, layout::channels_last(), element_type::float32};
    const std::vector<std::int64_t> image{1, channels, side, side};
    weight_store store;
    for (const std::size_t threads : {1, 2}) {
        program_builder b;
        const buffer_id x = b.add_input("x", element_type::float32, image),
                        left = b.add_input("left", element_type::float32, {rows, depth});
        const buffer_id turned = b.add_buffer(image, last), convolved = b.add_buffer(image, last), back = b.add_buffer(image, plain),
                        normalised = b.add_buffer({rows, columns}, plain);
        b.add_conversion(x, turned);
        b.add_kernel(convolution(threads, store), std::vector{turned}, std::vector{convolved});
        b.add_conversion(convolved, back);
        b.add_kernel(product(threads, store), std::vector{left}, std::vector{normalised});
        b.set_results(std::vector{back, normalised});
        auto p = b.finish();
        REQUIRE(p.has_value());
        const std::vector<tensor> inputs{tensor(element_type::float32, image), tensor(element_type::float32, {rows, depth})};
        standing_pair two;
        for (const bool side_by_side : {false, true}) {
            if (side_by_side) REQUIRE(p->follow({{{{{0, 1, 2}, {3}}}}}).has_value());
            auto frame = p->make_frame();
            auto results = p->make_results();
            REQUIRE(frame.has_value());
            REQUIRE(results.has_value());
            for (const bool shares : {false, true})
                for (const bool second : {false, true}) {
                    CAPTURE(threads);
                    CAPTURE(side_by_side);
                    CAPTURE(shares);
                    allocations = 0;
                    counts = second;
                    const bool ran = p->run(*frame, inputs, *results, shares ? executor_ref(two) : executor_ref()).has_value();
                    counts = false;
                    CHECK(ran);
                    CHECK(allocations == 0);
                }
        }
    }
    // What is counted is counted.
    counts = true;
    const tensor made(element_type::float32, {100});
    counts = false;
    CHECK(allocations >= 2);  // its extents, and its bytes
}
#endif
