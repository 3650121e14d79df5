// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/runtime/program_builder.hpp>

#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "../codegen/device_toys.hpp"

using namespace inlay;

namespace {

const format plain = plain_format(element_type::int32);

struct idle_state {
    static bool run(const run_arguments&) { return true; }
};

/// result[i] = sum of the inputs' element i, plus the step's number. Views copy where they must.
struct sum_state {
    std::int32_t number;
    std::size_t inputs, count;
    bool run(const run_arguments& a) const {
        for (std::size_t i = 0; i < count; ++i) {
            std::int32_t sum = number;
            for (std::size_t k = 0; k < inputs; ++k) sum += static_cast<const std::int32_t*>(a.inputs[k])[i];
            static_cast<std::int32_t*>(a.results[0])[i] = sum;
        }
        return true;
    }
};
struct reshape_state {
    std::size_t bytes;
    bool run(const run_arguments& a) const {
        if (a.inputs[0] != a.results[0]) std::memcpy(a.results[0], a.inputs[0], bytes);
        return true;
    }
};

/// Puts its inputs one after the other, and says so; counts the bytes that it had to copy.
struct concat_state {
    std::vector<std::size_t> bytes;
    std::size_t* copied;
    bool run(const run_arguments& a) const {
        auto* to = static_cast<std::byte*>(a.results[0]);
        for (std::size_t i = 0; i < bytes.size(); to += bytes[i++]) {
            if (a.inputs[i] == to) continue;
            std::memcpy(to, a.inputs[i], bytes[i]);
            *copied += bytes[i];
        }
        return true;
    }
    static kernel make(std::vector<std::size_t> bytes, std::size_t& copied) {
        std::vector<std::int64_t> at(bytes.size());
        for (std::size_t i = 1; i < bytes.size(); ++i) at[i] = at[i - 1] + static_cast<std::int64_t>(bytes[i - 1]);
        kernel k(concat_state{std::move(bytes), &copied});
        k.part_at = std::move(at);
        return k;
    }
};

/// Cuts its input into results of so many bytes each, and says so.
struct split_state {
    std::vector<std::size_t> bytes;
    std::size_t* copied;
    bool run(const run_arguments& a) const {
        const auto* from = static_cast<const std::byte*>(a.inputs[0]);
        for (std::size_t i = 0; i < bytes.size(); from += bytes[i++]) {
            if (a.results[i] == from) continue;
            std::memcpy(a.results[i], from, bytes[i]);
            *copied += bytes[i];
        }
        return true;
    }
    static kernel make(std::vector<std::size_t> bytes, std::size_t& copied) {
        std::vector<std::int64_t> at(bytes.size());
        for (std::size_t i = 1; i < bytes.size(); ++i) at[i] = at[i - 1] + static_cast<std::int64_t>(bytes[i - 1]);
        kernel k(split_state{std::move(bytes), &copied});
        k.view_of.assign(at.size(), 0);
        k.view_at = std::move(at);
        return k;
    }
};

std::string failure(program_builder& b) {
    const auto p = b.finish();
    return p.has_value() ? std::string() : p.failure().message;
}

}  // namespace

TEST_CASE("a program that is not put together right is refused in one sentence about the first fault") {
    SUBCASE("a buffer is read before it is written") {
        program_builder b;
        const buffer_id in[]{b.add_buffer({1}, plain)}, out[]{b.add_buffer({1}, plain)};
        b.add_kernel(kernel(idle_state{}), in, out, {"Relu", "", 0, 0, 0, false, "", 0});
        CHECK(failure(b) == "step 0, 'Relu', reads buffer 0 before a step has written it; add the steps in the order they run");
    }
    SUBCASE("a buffer is written twice") {
        program_builder b;
        const buffer_id x[]{b.add_input("x", element_type::int32, {1})};
        b.add_kernel(kernel(idle_state{}), x, x, {"Relu", "", 0, 0, 0, false, "", 0});
        CHECK(failure(b) ==
              "step 0, 'Relu', writes buffer 0, which is an input, a constant or written already; give each result a buffer of its own");
    }
    SUBCASE("a buffer that was never added") {
        program_builder b;
        const buffer_id x[]{b.add_input("x", element_type::int32, {1})}, none[]{44};
        b.add_kernel(kernel(idle_state{}), x, none);
        CHECK(failure(b) == "step 0, '', writes a buffer that was never added");
        b.add_kernel(kernel(idle_state{}), none, {});
        CHECK(failure(b) == "step 0, '', reads a buffer that was never added");
        b.add_conversion(0, 44);
        CHECK(failure(b) == "a conversion names a buffer that was never added");
        b.set_results(none);
        CHECK(failure(b) == "result 0 of the program is a buffer that was never added");
    }
    SUBCASE("an empty kernel") {
        program_builder b;
        b.add_kernel(kernel(), {}, {}, {"Conv", "", 0, 0, 0, false, "", 0});
        CHECK(failure(b) == "the kernel of step 'Conv' is empty; add what a back end's emit gave");
    }
    SUBCASE("a result that nobody writes, or that stands in another layout") {
        program_builder b;
        const buffer_id x = b.add_input("x", element_type::int32, {1, 2}),
                        y = b.add_buffer({1, 2}, {{}, layout::channels_last(), element_type::int32});
        const buffer_id results[]{y};
        b.set_results(results);
        CHECK(failure(b) == "result 0 of the program is written by no step; add the step that makes it");
        b.add_conversion(x, y);
        CHECK(failure(b) ==
              "result 0 of the program stands as int32:channels_last; the outside takes row-major tensors, so add a conversion");
    }
    SUBCASE("sizes that are none") {
        program_builder b;
        (void)b.add_input("x", element_type::string, {1});
        CHECK(failure(b) ==
              "buffer 0 of the program has no size in bytes: its element type is string; give an element type of fixed size and extents "
              "that are not negative");
        program_builder negative;
        (void)negative.add_buffer({-1}, plain);
        CHECK_FALSE(failure(negative).empty());
        program_builder huge;
        (void)huge.add_buffer({std::int64_t{1} << 40, std::int64_t{1} << 40}, plain);
        CHECK_FALSE(failure(huge).empty());
    }
    SUBCASE("views that cannot be") {
        program_builder b;
        const buffer_id x[]{b.add_input("x", element_type::int32, {1})}, y[]{b.add_buffer({1}, plain)};
        kernel k(idle_state{});
        k.view_of = {1};
        b.add_kernel(std::move(k), x, y);
        CHECK(failure(b) == "step 0, '', calls a result the view of an input that it has not");
        program_builder c;
        const buffer_id in[]{c.add_input("x", element_type::int32, {1})}, out[]{c.add_buffer({1}, plain)};
        kernel two(idle_state{});
        two.view_of = {0, 0};
        c.add_kernel(std::move(two), in, out);
        CHECK(failure(c) == "step 0, '', has 1 results and says of 2 what they are views of; say it of each");
    }
    SUBCASE("parts that cannot be") {
        for (const auto& [at, sentence] :
             {std::pair{std::vector<std::int64_t>{0},
                        "step 0, '', has 2 inputs and says of 1 where they stand in its one result; say it of each"},
              std::pair{std::vector<std::int64_t>{0, 8}, "step 0, '', has an input of 4 bytes stand from byte 8 on in a result of 8"}}) {
            program_builder b;
            const buffer_id x = b.add_input("x", element_type::int32, {1}), in[]{x, x}, y[]{b.add_buffer({2}, plain)};
            kernel k(idle_state{});
            k.part_at = at;
            b.add_kernel(std::move(k), in, y);
            CHECK(failure(b) == sentence);
        }
    }
    SUBCASE("slices that cannot be") {
        for (const auto& [at, sentence] :
             {std::pair{std::vector<std::int64_t>{0, 0},
                        "step 0, '', says of 1 results what they are views of and of 2 where they begin there; say it of each"},
              std::pair{std::vector<std::int64_t>{5}, "step 0, '', has a result of 4 bytes stand from byte 5 on in an input of 8"}}) {
            program_builder b;
            const buffer_id x[]{b.add_input("x", element_type::int32, {2})}, y[]{b.add_buffer({1}, plain)};
            kernel k(idle_state{});
            k.view_of = {0};
            k.view_at = at;
            b.add_kernel(std::move(k), x, y);
            CHECK(failure(b) == sentence);
        }
    }
    SUBCASE("a conversion between different tensors") {
        program_builder b;
        b.add_conversion(b.add_input("x", element_type::int32, {1, 2}), b.add_buffer({2, 1}, plain));
        CHECK(failure(b) == "a conversion's two buffers have different extents; a conversion changes the layout alone");
    }
}

TEST_CASE("a program without steps gives its inputs back") {
    program_builder b;
    const buffer_id x[]{b.add_input("x", element_type::int32, {2})};
    b.set_results(x);
    const auto p = b.finish();
    REQUIRE(p.has_value());
    const tensor value = tensor::of<std::int32_t>({2}, std::vector<std::int32_t>{4, 5});
    const auto y = p->run(std::span(&value, 1));
    REQUIRE(y.has_value());
    CHECK((*y)[0].content() == value.content());
    CHECK((*y)[0].data() != value.data());
}

TEST_CASE("random programs give what a run without any sharing of memory gives") {
    CHECK(rc::check("random graphs of sums, reshapes and conversions", [] {
        struct value {
            buffer_id id;
            std::vector<std::int32_t> expected;
            bool is_plain;
        };
        const std::vector<std::int64_t> extents{1, 3, 5};
        const format last{{}, layout::channels_last(), element_type::int32};
        program_builder b;
        std::vector<value> values;
        std::vector<tensor> inputs;
        const auto fill = [&](int from) {
            std::vector<std::int32_t> v;
            for (int i = 0; i < 15; ++i) v.push_back(from + i);
            return v;
        };
        for (int i = 0; i < 2; ++i) {
            inputs.push_back(tensor::of(extents, fill(100 * i)));
            values.push_back({b.add_input("x", element_type::int32, extents), fill(100 * i), true});
        }
        values.push_back({b.add_constant(tensor::of(extents, fill(7))), fill(7), true});
        const auto steps = *rc::gen::inRange<int>(0, 25);
        for (int s = 0; s < steps; ++s) {
            const value from = values[*rc::gen::inRange<std::size_t>(0, values.size())];
            const value other = values[*rc::gen::inRange<std::size_t>(0, values.size())];
            const int kind = *rc::gen::inRange(0, 3);
            value to{0, from.expected, from.is_plain};
            const buffer_id in[]{from.id, other.id};
            if (kind == 0 && from.is_plain == other.is_plain) {
                to.id = b.add_buffer(extents, from.is_plain ? plain : last);
                for (std::size_t i = 0; i < 15; ++i) to.expected[i] += other.expected[i] + s;
                b.add_kernel(kernel(sum_state{s, 2, 15}, 64), in, std::span(&to.id, 1));
            } else if (kind == 1) {
                to.id = b.add_buffer(extents, from.is_plain ? plain : last);
                kernel k(reshape_state{60});
                k.view_of = {0};
                b.add_kernel(std::move(k), std::span(in, 1), std::span(&to.id, 1));
            } else {
                to.is_plain = !from.is_plain;
                to.id = b.add_buffer(extents, to.is_plain ? plain : last);
                for (std::size_t c = 0; c < 3; ++c)
                    for (std::size_t p = 0; p < 5; ++p)
                        (to.is_plain ? to.expected[c * 5 + p] : to.expected[p * 3 + c]) =
                            from.is_plain ? from.expected[c * 5 + p] : from.expected[p * 3 + c];
                b.add_conversion(from.id, to.id);
            }
            values.push_back(to);
        }
        std::vector<buffer_id> results;
        std::vector<const value*> wanted;
        for (const value& v : values)
            for (int times = *rc::gen::inRange(0, 4) / 2; v.is_plain && times > 0; --times) {
                results.push_back(v.id);
                wanted.push_back(&v);
            }
        b.set_results(results);
        const auto p = b.finish();
        RC_ASSERT(p.has_value());
        RC_ASSERT(p->arena_bytes() >= p->live_bytes());
        auto frame = p->make_frame();
        RC_ASSERT(frame.has_value());
        for (int again = 0; again < 2; ++again) {
            auto made = p->make_results();
            RC_ASSERT(made.has_value());
            RC_ASSERT(p->run(*frame, inputs, *made).has_value());
            for (std::size_t i = 0; i < wanted.size(); ++i) {
                const auto got = static_cast<const tensor&>((*made)[i]).as<std::int32_t>();
                RC_ASSERT(std::equal(got.begin(), got.end(), wanted[i]->expected.begin(), wanted[i]->expected.end()));
            }
        }
    }));
}

TEST_CASE("what is put together is made in its place, where it stands nowhere else") {
    std::size_t copied = 0;
    program_builder b;
    const buffer_id x = b.add_input("x", element_type::int32, {16});
    const auto next = [&](buffer_id from, std::int32_t number, std::int64_t count = 16) {
        const buffer_id to = b.add_buffer({count}, plain);
        b.add_kernel(kernel(sum_state{number, 1, static_cast<std::size_t>(count)}), std::span(&from, 1), std::span(&to, 1));
        return to;
    };
    const auto together = [&](std::vector<buffer_id> parts, std::vector<std::size_t> bytes) {
        std::int64_t count = 0;
        for (const std::size_t n : bytes) count += static_cast<std::int64_t>(n / 4);
        const buffer_id to = b.add_buffer({count}, plain);
        b.add_kernel(concat_state::make(std::move(bytes), copied), parts, std::span(&to, 1));
        return to;
    };
    const auto run = [&](buffer_id result) {
        b.set_results(std::span(&result, 1));
        auto p = b.finish();
        REQUIRE(p.has_value());
        const std::vector<std::int32_t> zeros(16);
        const tensor value = tensor::of<std::int32_t>({16}, zeros);
        copied = 0;
        auto y = p->run(std::span(&value, 1));
        REQUIRE(y.has_value());
        const auto numbers = (*y)[0].as<std::int32_t>();
        std::vector<std::int32_t> firsts;
        for (std::size_t i = 0; i < numbers.size(); i += 16) firsts.push_back(numbers[i]);
        return firsts;
    };
    using list = std::vector<std::int32_t>;

    SUBCASE("parts of parts too, and other readers see them there") {
        const buffer_id one = next(x, 1), two = next(x, 2);
        const buffer_id pair = together({one, two}, {64, 64});
        const buffer_id three = next(one, 2), four = together({pair, three}, {128, 64});
        CHECK(run(next(four, 10, 48)) == list{11, 12, 13});
        CHECK(copied == 0);
    }
    const auto apart = [&](buffer_id from, std::vector<std::size_t> bytes) {
        std::vector<buffer_id> to;
        for (const std::size_t n : bytes) to.push_back(b.add_buffer({static_cast<std::int64_t>(n / 4)}, plain));
        b.add_kernel(split_state::make(std::move(bytes), copied), std::span(&from, 1), to);
        return to;
    };
    SUBCASE("slices stand in what they are slices of, slices of slices and of parts too") {
        const buffer_id whole = together({next(x, 1), next(x, 2), next(x, 3)}, {64, 64, 64});
        const std::vector<buffer_id> two = apart(whole, {64, 128}), more = apart(two[1], {64, 64});
        CHECK(run(together({next(more[1], 10), next(two[0], 20), next(more[0], 30)}, {64, 64, 64})) == list{13, 21, 32});
        CHECK(copied == 192);  // into the result
    }
    SUBCASE("slices of what comes from outside, slices that leave, and slices that are parts are copied") {
        const std::vector<buffer_id> two = apart(x, {32, 32});
        CHECK(run(two[1]) == list{0});
        CHECK(copied == 64);
    }
    SUBCASE("a slice that is put into something else is copied there") {
        const std::vector<buffer_id> two = apart(together({next(x, 1), next(x, 2)}, {64, 64}), {64, 64});
        CHECK(run(next(together({two[1], two[0]}, {64, 64}), 10, 32)) == list{12, 11});
        CHECK(copied == 128);
    }
    SUBCASE("a part twice, or in two wholes, is copied the second time") {
        const buffer_id one = next(x, 1), twice = together({one, one}, {64, 64}), again = together({one, twice}, {64, 128});
        CHECK(run(next(again, 10, 48)) == list{11, 11, 11});
        CHECK(copied == 128);
    }
    SUBCASE("what comes from outside, and what leaves, is copied") {
        const buffer_id one = next(x, 1);
        CHECK(run(together({x, one}, {64, 64})) == list{0, 1});
        CHECK(copied == 128);
    }
    SUBCASE("a part that would begin in the middle of a line of the cache is copied") {
        const buffer_id few = next(x, 1, 8), one = next(x, 2), whole = together({few, one}, {32, 64});
        CHECK(run(next(whole, 10, 24)) == list{11, 12});
        CHECK(copied == 64);
    }
}

TEST_CASE("random programs that put parts together and cut them apart give what a run without any sharing of memory gives") {
    CHECK(rc::check("random sums, reshapes, concatenations and slices", [] {
        struct value {
            buffer_id id;
            std::vector<std::int32_t> expected;
        };
        std::size_t copied = 0;
        program_builder b;
        const std::vector<std::int32_t> first(16, 3);
        const tensor given = tensor::of<std::int32_t>({16}, first);
        std::vector<value> values{{b.add_input("x", element_type::int32, {16}), first}};
        const auto steps = *rc::gen::inRange<int>(0, 25);
        for (int s = 0; s < steps; ++s) {
            const auto any = [&] { return values[*rc::gen::inRange<std::size_t>(0, values.size())]; };
            const value from = any(), other = any();
            const int kind = *rc::gen::inRange(0, 4);
            value to{0, from.expected};
            const auto count = static_cast<std::int64_t>(from.expected.size());
            const buffer_id in[]{from.id, other.id};
            if (kind == 0) {
                to.id = b.add_buffer({count}, plain);
                for (std::int32_t& n : to.expected) n += s;
                b.add_kernel(kernel(sum_state{s, 1, from.expected.size()}), std::span(in, 1), std::span(&to.id, 1));
            } else if (kind == 1) {
                to.id = b.add_buffer({count}, plain);
                kernel k(reshape_state{from.expected.size() * 4});
                k.view_of = {0};
                b.add_kernel(std::move(k), std::span(in, 1), std::span(&to.id, 1));
            } else if (kind == 2 && count >= 32) {
                const auto cut = static_cast<std::size_t>(*rc::gen::inRange<std::int64_t>(1, count / 16)) * 16;
                value rest{b.add_buffer({count - static_cast<std::int64_t>(cut)}, plain), {}};
                rest.expected.assign(from.expected.begin() + static_cast<std::ptrdiff_t>(cut), from.expected.end());
                to.expected.resize(cut);
                to.id = b.add_buffer({static_cast<std::int64_t>(cut)}, plain);
                const buffer_id both[]{to.id, rest.id};
                b.add_kernel(split_state::make({cut * 4, rest.expected.size() * 4}, copied), std::span(in, 1), both);
                values.push_back(rest);
            } else if (from.expected.size() + other.expected.size() < 1000) {
                to.expected.insert(to.expected.end(), other.expected.begin(), other.expected.end());
                to.id = b.add_buffer({static_cast<std::int64_t>(to.expected.size())}, plain);
                b.add_kernel(concat_state::make({from.expected.size() * 4, other.expected.size() * 4}, copied), in, std::span(&to.id, 1));
            } else {
                continue;
            }
            values.push_back(to);
        }
        std::vector<buffer_id> results;
        std::vector<const value*> wanted;
        for (const value& v : values)
            for (int times = *rc::gen::inRange(0, 4) / 2; times > 0; --times) {
                results.push_back(v.id);
                wanted.push_back(&v);
            }
        b.set_results(results);
        const auto p = b.finish();
        RC_ASSERT(p.has_value());
        for (int again = 0; again < 2; ++again) {
            const auto y = p->run(std::span(&given, 1));
            RC_ASSERT(y.has_value());
            for (std::size_t i = 0; i < wanted.size(); ++i) {
                const auto got = (*y)[i].as<std::int32_t>();
                RC_ASSERT(std::vector<std::int32_t>(got.begin(), got.end()) == wanted[i]->expected);
            }
        }
    }));
}

namespace {

using device_toys::device_main;
constexpr format there{device_main, layout::plain(), element_type::int32};

/// What a step was given.
struct noting_step {
    std::size_t bytes;
    std::vector<const void*>* addresses;  // input, result, workspace
    bool run(const run_arguments& a) const {
        *addresses = {a.inputs[0], a.results[0], a.workspace};
        std::memset(a.workspace, 0x5A, 128);
        if (a.results[0] != a.inputs[0]) std::memcpy(a.results[0], a.inputs[0], bytes);
        return true;
    }
};

}  // namespace

TEST_CASE("buffers of another memory stand in a block of it, with the workspaces of the steps that work there") {
    const device_toys::apart backend;
    std::vector<const void*> on_cpu, on_device, behind;
    program_builder b;
    b.add_memory(memory_source(backend, device_main));
    const buffer_id x = b.add_input("x", element_type::int32, {16}), moved = b.add_buffer({16}, there), made = b.add_buffer({16}, there),
                    view = b.add_buffer({16}, there), back = b.add_buffer({16}, plain_format(element_type::int32)),
                    result = b.add_buffer({16}, plain_format(element_type::int32));
    const auto copy = [&](buffer_id from, buffer_id to) {
        step_facts facts;
        facts.copied = 64;
        b.add_copy(kernel(device_toys::toy_copy{64}), from, to, std::move(facts));
    };
    const auto step = [&](buffer_id from, buffer_id to, std::vector<const void*>& addresses, bool is_view) {
        kernel k(noting_step{64, &addresses}, 128);
        if (is_view) k.view_of = {0};
        const buffer_id in[]{from}, out[]{to};
        b.add_kernel(std::move(k), in, out);
    };
    copy(x, moved);
    step(moved, made, on_device, false);
    step(made, view, behind, true);
    copy(view, back);
    step(back, result, on_cpu, false);
    const buffer_id leaving[]{result};
    b.set_results(leaving);
    const auto p = b.finish();
    REQUIRE_MESSAGE(p.has_value(), p.failure().message);
    REQUIRE(p->device_bytes().size() == 1);
    CHECK(p->device_bytes()[0] == std::pair(device_main, std::size_t{64 + 64 + 128}));
    CHECK(p->arena_bytes() == 64);
    CHECK(p->workspace_bytes() == 128);
    CHECK(p->steps()[0].copied == 64);
    CHECK(p->steps()[0].label == "copy int32:plain to int32:plain@ext_dev");
    tensor input(element_type::int32, {16});
    for (std::int32_t i = 0; i < 16; ++i) input.as<std::int32_t>()[static_cast<std::size_t>(i)] = i;
    const tensor inputs[]{input};
    const auto found = p->run(inputs);
    REQUIRE_MESSAGE(found.has_value(), found.failure().message);
    CHECK(found->front().as<std::int32_t>()[15] == 15);
    const auto near = [](const void* a, const void* c) {
        return static_cast<const std::byte*>(a) - static_cast<const std::byte*>(c) < 256 &&
               static_cast<const std::byte*>(c) - static_cast<const std::byte*>(a) < 256;
    };
    CHECK(near(on_device[0], on_device[1]));
    CHECK(near(on_device[0], on_device[2]));
    CHECK(behind[0] == behind[1]);
    CHECK_FALSE(near(on_cpu[2], on_device[2]));
}

TEST_CASE("a result is never a view in another memory") {
    const device_toys::apart backend;
    program_builder b;
    b.add_memory(memory_source(backend, device_main));
    const buffer_id x = b.add_input("x", element_type::int32, {16}), y = b.add_buffer({16}, there),
                    z = b.add_buffer({16}, plain_format(element_type::int32));
    for (const auto& [from, to] : {std::pair(x, y), std::pair(y, z)}) {
        kernel k(device_toys::toy_copy{64});
        k.view_of = {0};
        const buffer_id in[]{from}, out[]{to};
        b.add_kernel(std::move(k), in, out);
    }
    const buffer_id leaving[]{z};
    b.set_results(leaving);
    const auto p = b.finish();
    REQUIRE_MESSAGE(p.has_value(), p.failure().message);
    tensor input(element_type::int32, {16});
    input.as<std::int32_t>()[3] = 7;
    const tensor inputs[]{input};
    const auto found = p->run(inputs);
    REQUIRE(found.has_value());
    CHECK(found->front().as<std::int32_t>()[3] == 7);
}

TEST_CASE("a memory that was never added, a result that stays elsewhere, and a device that is full are told") {
    {
        program_builder b;
        b.add_buffer({16}, there);
        const auto p = b.finish();
        REQUIRE_FALSE(p.has_value());
        CHECK(p.failure().message ==
              "buffer 0 of the program stands as int32:plain@ext_dev, in a memory that the program was not given; add it with add_memory");
    }
    for (const bool comes_back : {false, true}) {
        device_toys::apart backend;
        backend.size = 10;
        program_builder b;
        b.add_memory(memory_source(backend, device_main));
        const buffer_id x = b.add_input("x", element_type::int32, {16}), y = b.add_buffer({16}, there), z = b.add_buffer({16}, plain);
        b.add_copy(kernel(device_toys::toy_copy{64}), x, y, {});
        b.add_copy(kernel(device_toys::toy_copy{64}), y, z, {});
        const buffer_id leaving[]{comes_back ? z : y};
        b.set_results(leaving);
        const auto p = b.finish();
        if (!comes_back) {
            REQUIRE_FALSE(p.has_value());
            CHECK(p.failure().message ==
                  "result 0 of the program stands as int32:plain@ext_dev; the outside takes row-major tensors, so add a conversion");
            continue;
        }
        REQUIRE_MESSAGE(p.has_value(), p.failure().message);
        const auto frame = p->make_frame();
        REQUIRE_FALSE(frame.has_value());
        CHECK(frame.failure().message == "the toy has 10 bytes");
    }
}
