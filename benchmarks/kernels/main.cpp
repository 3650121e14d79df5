// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0

// Times our kernels beside the libraries' on single operators, all of them in turns, against what the processor's registers and memory
// allow:
//
//   kernels [--threads N] [--rounds N] [--only TEXT] [--isa NAME] [--bf16]
//
// A row: the operator, and for each way to run it the least time of all rounds, its rate and its share of the peak, which is the most that
// fused multiply-adds in registers alone reached in the same rounds. A block of several operators is also run as one kernel after the
// other. Below stand what our kernels are to reach, and what they reach; the last lines say how many of these bars are kept. On several
// threads our kernels also run on one, in the same rounds: large ones are to gain as much as the multiply-adds do. With --isa, oneDNN is
// told the same by ONEDNN_MAX_CPU_ISA. With --bf16, kernels that round to bf16 stand beside the others.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/backend/cpu_simd/backend.hpp>
#include <inlay/backend/onednn/backend.hpp>
#include <inlay/backend/openblas/backend.hpp>
#include <inlay/backend/xnnpack/backend.hpp>
#include <inlay/candidate/enumerate.hpp>
#include <inlay/codegen/list/backend_list.hpp>
#include <inlay/runtime/convert.hpp>
#include <inlay/runtime/tbb.hpp>

#include "bar.hpp"
#include "question.hpp"
#include "way.hpp"

namespace kernels {
namespace {

using list_of_all = backend_list<cpu_simd, onednn, xnnpack, openblas>;

double seconds(const std::chrono::steady_clock::time_point& since) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - since).count();
}

struct command {
    std::size_t threads = 1, rounds = 30;
    std::string only, isa;
    bool bf16 = false;
};

command read(int count, char** words) {
    command c;
    for (int i = 1; i < count; ++i) {
        const std::string_view word = words[i];
        if (word == "--bf16") c.bf16 = true;
        if (word == "--bf16" || i + 1 == count) continue;
        const char* said = words[++i];
        if (word == "--threads") c.threads = static_cast<std::size_t>(std::max(1, std::atoi(said)));
        if (word == "--rounds") c.rounds = static_cast<std::size_t>(std::max(1, std::atoi(said)));
        if (word == "--only") c.only = said;
        if (word == "--isa") c.isa = said;
    }
    return c;
}

std::vector<question> all_questions(bool bf16) {
    constexpr double mebibyte = 1 << 20;
    const layout plain = layout::plain(), last = layout::channels_last(), blocked = layout::channels_blocked(16);
    std::vector<question> q;
    q.push_back(product(128, 3072, 768).wants(share_of_peak("matrix_product", 0.94)));
    q.push_back(product(1024, 1024, 1024).wants(share_of_peak("matrix_product", 0.90)));
    q.push_back(product(1, 4096, 1024));
    if (bf16)
        for (const std::int64_t rows : {1, 2, 4, 8, 128}) q.push_back(product(rows, 768, 3072));
    if (bf16) q.push_back(product(1, 4096, 4096));
    q.push_back(normalised(128, 768, 768));
    q.push_back(normalised(128, 768, 3072));
    q.push_back(normalised(1, 768, 3072));
    q.push_back(batched(12, 128, 128, 64));
    q.push_back(convolution(64, 64, 56, 3, 1).wants(share_of_peak("convolution", 0.88)).wants(winograd_over_direct(1.3)));
    q.push_back(convolution(128, 128, 28, 3, 1).wants(share_of_peak("convolution", 0.88)).wants(winograd_over_direct(1.3)));
    q.push_back(convolution(256, 256, 14, 3, 1).wants(share_of_peak("convolution", 0.88)).wants(winograd_over_direct(1.3)));
    q.push_back(convolution(512, 512, 7, 3, 1).wants(share_of_peak("convolution", 0.88)));
    q.push_back(convolution(128, 128, 56, 3, 2).wants(share_of_peak("convolution", 0.88)));
    q.push_back(convolution(3, 64, 224, 7, 2));
    q.push_back(convolution(64, 256, 56, 1, 1).wants(share_of_peak("convolution", 0.90)));
    q.push_back(convolution(256, 64, 56, 1, 1).wants(share_of_peak("convolution", 0.90)));
    q.push_back(convolution(256, 1024, 14, 1, 1).wants(share_of_peak("convolution", 0.90)));
    q.push_back(convolution(512, 2048, 7, 1, 1).wants(share_of_peak("convolution", 0.90)));
    q.push_back(convolution(144, 144, 56, 3, 1, 144));
    q.back().copied = 144.0 * 56 * 56 * 8;
    q.back().wants(times_the_floor("convolution", q.back().copied, 1.5));
    q.push_back(convolution(144, 144, 56, 3, 2, 144));
    q.push_back(convolution(960, 960, 7, 3, 1, 960));
    q.push_back(bottleneck(24, 144, 24, 56, 3, 1));
    q.push_back(bottleneck(16, 96, 24, 112, 3, 2));
    q.push_back(bottleneck(32, 192, 32, 28, 3, 1));
    q.push_back(bottleneck(96, 576, 96, 14, 3, 1));
    q.push_back(bottleneck(112, 672, 192, 14, 5, 2));
    q.push_back(bottleneck(160, 960, 320, 7, 3, 1));
    q.push_back(bottleneck(64, 64, 128, 112, 3, 1));
    q.push_back(bottleneck(512, 512, 512, 14, 3, 1));
    q.push_back(expanded(16, 96, 112, 3, 2));
    q.push_back(expanded(24, 144, 56, 3, 1));
    q.push_back(expanded(40, 240, 28, 5, 1));
    q.push_back(expanded(112, 672, 14, 5, 1));
    q.push_back(transposed(128, 64, 28).wants(share_of_peak("transposed_convolution", 0.80)));
    q.push_back(function("onnx.Relu", 1 << 14));
    q.push_back(function("onnx.Relu", 1 << 24));
    q.back().copied = 128 * mebibyte;
    q.back().wants(share_of_copy("function", 0.85));
    q.push_back(chain(64, 512).wants(share_of_copy("operation", 0.85)));
    for (const auto& [from, to] : {std::pair(plain, last), std::pair(last, plain), std::pair(plain, blocked), std::pair(blocked, plain),
                                   std::pair(last, blocked), std::pair(blocked, last)})
        q.push_back(change_of_layout(64, 512, from, to).wants(share_of_copy("conversion", 0.85)));
    q.push_back(function("onnx.Gelu", 1 << 16));
    q.push_back(function("onnx.Sigmoid", 1 << 16));
    q.push_back(rows_of("onnx.Softmax", 1536, 128));
    q.push_back(rows_of("onnx.LayerNormalization", 128, 768));
    return q;
}

/// oneDNN's change of layout.
kernel onednn_reorder(const layout_change& change, int threads) {
    struct state {
        dnnl::engine engine;
        dnnl::memory::desc from, to;
        dnnl::reorder code;
        int threads;

        bool run(const run_arguments& a) const {
            const inlay::detail::onednn_thread_scope scope(threads);
            dnnl::stream stream(engine);
            dnnl::memory in(from, engine, const_cast<void*>(a.inputs[0])), out(to, engine, a.results[0]);
            code.execute(stream, in, out);
            stream.wait();
            return true;
        }
    };
    const inlay::detail::onednn_thread_scope scope(threads);
    const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
    const auto from = inlay::detail::onednn_desc(change.shape, change.from), to = inlay::detail::onednn_desc(change.shape, change.to);
    return kernel(state{engine, from, to, dnnl::reorder(dnnl::reorder::primitive_desc(engine, from, engine, to)), threads});
}

std::vector<way> ways_of(const question& q, const list_of_all& list, int threads) {
    std::vector<way> ways;
    if (q.change) {
        const format from{{}, q.change->from}, to{{}, q.change->to};
        const auto how = layout_conversion::make(q.change->shape, from, to);
        if (!how) return ways;
        ways.emplace_back("our conversion", conversion_kernel(*how), how->bytes_read(), how->bytes_written());
        ways.back().ours = "conversion";
        ways.emplace_back("onednn reorder", onednn_reorder(*q.change, threads), how->bytes_read(), how->bytes_written());
        return ways;
    }
    const candidate_set set = enumerate(q.program, list);
    std::size_t largest = 0;
    for (const candidate& c : set.candidates) largest = std::max(largest, c.nodes.size());
    for (const candidate& c : set.candidates) {
        if (c.nodes.size() != largest) continue;
        way w;
        if (!w.add(list, c)) continue;
        w.name = std::string(list.kind(c.backend)) + " " + c.name + " " + formats_of(c);
        if (list.kind(c.backend) == cpu_simd::kind) w.ours = c.name;
        ways.push_back(std::move(w));
        if (!q.is_block) continue;
        if (way pieces = in_pieces(list, set, c); !pieces.steps.empty()) ways.push_back(std::move(pieces));
    }
    return ways;
}

/// The least time of a few runs.
template <class Run>
double least_of_three(Run&& run) {
    double least = std::numeric_limits<double>::infinity();
    for (int i = 0; i < 3; ++i) {
        const auto begin = std::chrono::steady_clock::now();
        run();
        least = std::min(least, seconds(begin));
    }
    return least;
}

/// Runs a question in rounds, prints it, and answers with its bars and what came of them.
class round_of_ways {
public:
    round_of_ways(const command& c, const simd::kernel_table& table) : command_(c), table_(table), pool_(c.threads) {}

    struct result {
        std::string question;
        bar wanted;
        double reached;
    };

    std::vector<result> answer(const question& q, const list_of_all& list) {
        std::vector<way> ways = ways_of(q, list, static_cast<int>(command_.threads));
        rounds_seen seen;
        seen.operations = q.operations;
        seen.bytes = q.bytes;
        double peak_alone = 0;
        buffer from(static_cast<std::size_t>(q.copied / 2)), to(from.size());
        for (std::size_t round = 0; round < command_.rounds; ++round) {
            seen.peak = std::max(seen.peak, peak(command_.threads));
            if (command_.threads > 1) peak_alone = std::max(peak_alone, peak(1));
            if (q.copied != 0) {
                const auto copy = [&] {
                    pool_.run(command_.threads, [&](std::size_t t) {
                        const std::size_t begin = from.size() * t / command_.threads, end = from.size() * (t + 1) / command_.threads;
                        std::memcpy(to.data() + begin, from.data() + begin, end - begin);
                    });
                };
                copy();
                seen.copied = std::max(seen.copied, q.copied / least_of_three(copy));
            }
            for (way& w : ways) {
                // Short runs several times, the first of them unmeasured.
                w.run(executor_ref(pool_));
                w.least = std::min(w.least, least_of_three([&] { w.run(executor_ref(pool_)); }));
                if (command_.threads > 1 && !w.ours.empty()) w.least_alone = std::min(w.least_alone, least_of_three([&] { w.run({}); }));
            }
        }
        std::sort(ways.begin(), ways.end(), [](const way& l, const way& r) { return l.least < r.least; });
        std::printf("%s   (peak %.1f GFLOP/s", q.name.c_str(), seen.peak / 1e9);
        if (q.copied != 0) std::printf(", copied at %.1f GB/s", seen.copied / 1e9);
        std::printf(")\n");
        for (const way& w : ways) print(q, w, seen.peak);
        for (const way& w : ways)
            if (!w.ours.empty()) seen.least.emplace(w.ours, w.least);  // the quickest comes first
        std::vector<result> results;
        for (const bar& b : q.bars) results.push_back({q.name, b, b.reached(seen)});
        const auto best = std::find_if(ways.begin(), ways.end(), [](const way& w) { return !w.ours.empty(); });
        if (command_.threads > 1 && q.operations > large && best != ways.end())
            results.push_back({q.name,
                               {best->ours + "'s gain over that of multiply-adds", 0.95, {}},
                               best->least_alone / best->least / (seen.peak / peak_alone)});
        for (const result& r : results) print(r);
        std::fflush(stdout);
        return results;
    }

    static void print(const result& r) {
        std::printf("    bar: %s, %s %.2f: %.2f, %s\n", r.wanted.what.c_str(), r.wanted.at_most ? "at most" : "at least", r.wanted.wanted,
                    r.reached, r.wanted.is_kept(r.reached) ? "kept" : "MISSED");
    }

private:
    static constexpr double large = 1e8;  // operations

    /// Of multiply-adds in registers, a second; the threads are awake.
    double peak(std::size_t threads) {
        const std::size_t spins = 200000 / table_.lanes;
        std::vector<double> done(threads);
        const auto spin = [&] { pool_.run(threads, [&](std::size_t t) { done[t] = table_.peak(spins); }); };
        spin();
        const double least = least_of_three(spin);
        return std::accumulate(done.begin(), done.end(), 0.0) / least;
    }

    static void print(const question& q, const way& w, double peak) {
        if (q.bytes != 0)
            std::printf("    %-64s %10.1f us %8.2f GB/s\n", w.name.c_str(), w.least * 1e6, q.bytes / w.least / 1e9);
        else
            std::printf("    %-64s %10.1f us %8.1f GFLOP/s %5.1f %%\n", w.name.c_str(), w.least * 1e6, q.operations / w.least / 1e9,
                        100 * q.operations / w.least / peak);
    }

    command command_;
    const simd::kernel_table& table_;
    tbb_executor pool_;
};

}  // namespace
}  // namespace kernels

int main(int count, char** words) {
    using namespace kernels;
    const command c = read(count, words);
    if (c.isa == "avx2") ::setenv("ONEDNN_MAX_CPU_ISA", "AVX2", 1);
    if (c.isa == "sse4") ::setenv("ONEDNN_MAX_CPU_ISA", "SSE41", 1);
    cpu_simd own;
    own.isa = c.isa;
    own.bf16 = c.bf16;
    if (auto fine = own.usable(); !fine) {
        std::fprintf(stderr, "kernels: %s\n", fine.failure().message.c_str());
        return 2;
    }
    onednn first;
    xnnpack second;
    openblas third;
    own.threads = first.threads = second.threads = third.threads = static_cast<int>(c.threads);
    const list_of_all list(own, first, second, third);
    round_of_ways rounds(c, *own.table());

    std::printf("%s, %zu thread(s), least of %zu rounds, in turns\n", std::string(name_of(own.table()->set)).c_str(), c.threads, c.rounds);
    std::vector<round_of_ways::result> results;
    for (const question& q : all_questions(c.bf16)) {
        if (!c.only.empty() && q.name.find(c.only) == std::string::npos) continue;
        for (round_of_ways::result& r : rounds.answer(q, list)) results.push_back(std::move(r));
    }
    const auto is_kept = [](const round_of_ways::result& r) { return r.wanted.is_kept(r.reached); };
    std::printf("bars kept: %zu of %zu\n", static_cast<std::size_t>(std::count_if(results.begin(), results.end(), is_kept)),
                results.size());
    for (const round_of_ways::result& r : results)
        if (!is_kept(r)) {
            std::printf("missed by %s\n", r.question.c_str());
            round_of_ways::print(r);
        }
}
