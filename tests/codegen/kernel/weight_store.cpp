// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/codegen/kernel/weight_store.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

using namespace inlay;
namespace fs = std::filesystem;

namespace {

digest key_of(std::uint64_t n) { return digest_builder().add(n).finish(); }

/// Writes numbers and counts how often it was asked to.
struct packer {
    int calls = 0;

    void operator()(buffer& to) {
        ++calls;
        for (std::size_t i = 0; i < to.size(); ++i) to.data()[i] = static_cast<std::byte>(i % 251);
    }
};
bool is_packed(const buffer& b, std::size_t size) {
    bool right = b.size() == size && reinterpret_cast<std::uintptr_t>(b.data()) % buffer::alignment == 0;
    for (std::size_t i = 0; i < b.size(); ++i) right = right && b.data()[i] == static_cast<std::byte>(i % 251);
    for (std::size_t i = 0; i < buffer::slack; ++i) right = right && b.data()[b.size() + i] == std::byte{0};
    return right;
}

struct folder {
    fs::path path = fs::temp_directory_path() / fs::path("inlay_weights_" + std::to_string(reinterpret_cast<std::uintptr_t>(this)));

    folder() {
        fs::remove_all(path);
        fs::create_directory(path);
    }
    ~folder() { fs::remove_all(path); }
    std::vector<fs::path> files() const { return {fs::directory_iterator(path), fs::directory_iterator()}; }
};

constexpr std::size_t large = weight_store::worth_a_file + 12;

}  // namespace

TEST_CASE("what was packed once is shared, and another key or size is packed by itself") {
    weight_store store;
    packer pack;
    const buffer a = store.get(key_of(1), 1000, pack), b = store.get(key_of(1), 1000, pack);
    CHECK(pack.calls == 1);
    CHECK(a.data() == b.data());
    CHECK(is_packed(a, 1000));
    CHECK(is_packed(store.get(key_of(2), 1000, pack), 1000));
    CHECK(is_packed(store.get(key_of(1), 900, pack), 900));
    CHECK(pack.calls == 3);
    CHECK(store.count() == 3);
    CHECK(store.bytes() == 2900);
}

TEST_CASE("what was given stays good when the store is gone") {
    folder here;
    buffer kept, mapped;
    {
        weight_store store(here.path);
        kept = store.get(key_of(1), 100, packer());
        mapped = store.get(key_of(2), large, packer());
    }
    CHECK(is_packed(kept, 100));
    CHECK(is_packed(mapped, large));
}

TEST_CASE("no more is kept in vain than is spare, and what is used stays") {
    weight_store store({}, 1500);
    const buffer used = store.get(key_of(1), 1000, packer());
    for (std::uint64_t n = 2; n < 20; ++n) (void)store.get(key_of(n), 1000, packer());
    CHECK(store.bytes() <= 4000);
    packer pack;
    CHECK(store.get(key_of(1), 1000, pack).data() == used.data());
    CHECK(pack.calls == 0);
}

TEST_CASE("files are mapped by who comes later, in this process or another") {
    folder here;
    packer first, second;
    (void)weight_store(here.path).get(key_of(7), large, first);
    CHECK(here.files().size() == 1);
    weight_store later(here.path);
    const buffer mapped = later.get(key_of(7), large, second);
    CHECK(first.calls == 1);
    CHECK(second.calls == 0);
    CHECK(is_packed(mapped, large));
    CHECK(is_packed(later.get(key_of(8), 100, first), 100));  // too small for a file
    CHECK(here.files().size() == 1);
}

TEST_CASE("a file that is damaged, cut, of another key or no file at all is packed and written anew") {
    folder here;
    (void)weight_store(here.path).get(key_of(7), large, packer());
    const fs::path file = here.files().at(0);
    const auto mends = [&] {
        packer pack;
        const bool right = is_packed(weight_store(here.path).get(key_of(7), large, pack), large);
        packer again;
        return right && pack.calls == 1 && is_packed(weight_store(here.path).get(key_of(7), large, again), large) && again.calls == 0;
    };
    {
        std::fstream f(file, std::ios::in | std::ios::out | std::ios::binary);
        f.seekp(5000);
        f.put('\x7f');
    }
    CHECK(mends());
    fs::resize_file(file, 200);
    CHECK(mends());
    fs::resize_file(file, 0);
    CHECK(mends());
    packer other;
    (void)weight_store(here.path).get(key_of(9), large, other);
    for (const fs::path& f : here.files())
        if (f != file) fs::copy_file(f, file, fs::copy_options::overwrite_existing);
    CHECK(mends());
}

TEST_CASE("a folder that cannot be used is done without") {
    folder here;
    packer pack;
    CHECK(is_packed(weight_store((here.path / "missing").string()).get(key_of(1), large, pack), large));
    std::ofstream(here.path / "file") << "text";
    CHECK(is_packed(weight_store((here.path / "file").string()).get(key_of(1), large, pack), large));
    (void)weight_store(here.path).get(key_of(1), large, packer());
    for (const fs::path& each : here.files())
        if (each.extension() == ".weights") {
            fs::remove(each);
            fs::create_directory(each);
        }
    CHECK(is_packed(weight_store(here.path).get(key_of(1), large, pack), large));
    CHECK(pack.calls == 3);
    for (const fs::path& left : here.files()) CHECK(left.string().find(".weights.") == std::string::npos);
}

TEST_CASE("several threads may ask at once") {
    folder here;
    weight_store store(here.path);
    std::vector<std::thread> threads;
    std::vector<char> right(4, 0);
    for (std::size_t t = 0; t < right.size(); ++t)
        threads.emplace_back([&, t] {
            right[t] = 1;
            for (std::uint64_t n = 0; n < 20; ++n) right[t] = right[t] && is_packed(store.get(key_of(n % 5), large, packer()), large);
        });
    for (std::thread& t : threads) t.join();
    CHECK(right == std::vector<char>(4, 1));
    CHECK(store.count() == 5);
}
