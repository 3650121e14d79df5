// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/cost/database.hpp>

#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <doctest/doctest.h>
#include <rapidcheck.h>

using namespace inlay;

static_assert(!std::is_copy_constructible_v<cost_database>);

namespace {

/// A folder of its own that goes away with the test.
struct temporary_folder {
    std::filesystem::path path;
    temporary_folder() {
        std::string name = (std::filesystem::temp_directory_path() / "inlay_database_XXXXXX").string();
        REQUIRE(mkdtemp(name.data()) != nullptr);
        path = name;
    }
    ~temporary_folder() {
        std::error_code ignored;
        std::filesystem::permissions(path, std::filesystem::perms::owner_all, ignored);
        std::filesystem::remove_all(path, ignored);
    }
    [[nodiscard]] std::string file(const std::string& name = "costs.sqlite") const { return (path / name).string(); }
};

cost_record record(std::uint64_t number) {
    const double seconds = static_cast<double>(number) * 1e-6;
    return {{number, ~number}, {seconds, seconds / 2, seconds / 10, 7, {}}, "onednn: Conv " + std::to_string(number), "cpu, 2 threads"};
}
std::vector<cost_record> all(cost_database& db) {
    std::vector<cost_record> records;
    CHECK(db.for_each([&](const cost_record& r) { records.push_back(r); }));
    return records;
}
void fill(cost_database& db, std::uint64_t first, std::uint64_t last) {
    std::vector<cost_record> records;
    for (std::uint64_t i = first; i < last; ++i) records.push_back(record(i));
    REQUIRE(db.put(records).has_value());
}

/// Runs a function in a process of its own; gives its exit status.
template <class F>
pid_t in_child(F&& f) {
    const pid_t pid = fork();
    if (pid == 0) _exit(f() ? 0 : 1);
    return pid;
}
bool succeeded(pid_t pid) {
    int status = 0;
    return waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

TEST_CASE("what was put is got back after the file was closed, in order of key") {
    const temporary_folder folder;
    cost_record failed = record(3);
    failed.cost = measurement::failed("it died by signal 6");
    {
        cost_database db;
        REQUIRE(db.open(folder.file()).has_value());
        CHECK(db.is_open());
        REQUIRE(db.put({record(9), failed, record(1)}).has_value());
        CHECK(db.unsaved() == 0);
    }
    cost_database db;
    REQUIRE(db.open(folder.file()).has_value());
    CHECK(db.get(record(9).key) == record(9).cost);
    CHECK(db.get(failed.key) == failed.cost);
    CHECK(std::isinf(db.get(failed.key)->median));
    CHECK_FALSE(db.get({5, 5}).has_value());
    CHECK(all(db) == std::vector<cost_record>{record(1), failed, record(9)});
    cost_record newer = record(9);
    newer.cost.median = 1;
    REQUIRE(db.put(newer).has_value());
    CHECK(db.get(newer.key)->median == 1);
    CHECK(db.size() == 3);
}

TEST_CASE("a database without a file keeps everything in memory, and takes it along when a file is opened") {
    const temporary_folder folder;
    cost_database db;
    REQUIRE(db.put({record(2), record(1)}).has_value());
    CHECK(db.get(record(2).key) == record(2).cost);
    CHECK(all(db) == std::vector<cost_record>{record(1), record(2)});
    CHECK(db.unsaved() == 2);
    REQUIRE(db.open(folder.file()).has_value());
    CHECK(db.unsaved() == 0);
    CHECK(all(db) == std::vector<cost_record>{record(1), record(2)});
    cost_database moved = std::move(db);
    CHECK(moved.size() == 2);
    CHECK(db.size() == 0);
}

TEST_CASE("what was decided is kept beside the measurements, and the last decision counts") {
    const temporary_folder folder;
    {
        cost_database db;
        CHECK_FALSE(db.decision({1, 2}).has_value());
        REQUIRE_FALSE(db.keep_decision({1, 2}, "nowhere").has_value());
        REQUIRE(db.open(folder.file()).has_value());
        CHECK_FALSE(db.decision({1, 2}).has_value());
        REQUIRE(db.put(record(1)).has_value());
        REQUIRE(db.keep_decision({1, 2}, "first").has_value());
        REQUIRE(db.keep_decision({1, 2}, "second, with a \"quote\" and an 'other'").has_value());
        REQUIRE(db.keep_decision({2, 1}, "").has_value());
    }
    cost_database db;
    REQUIRE(db.open(folder.file()).has_value());
    CHECK(db.decision({1, 2}) == "second, with a \"quote\" and an 'other'");
    CHECK(db.decision({2, 1}) == "");
    CHECK_FALSE(db.decision({3, 3}).has_value());
    CHECK(all(db) == std::vector<cost_record>{record(1)});
}

TEST_CASE("a measurement keeps its windows, its time, its clock and whether it was disturbed") {
    const temporary_folder folder;
    cost_record r = record(2);
    r.cost.windows = 4;
    r.cost.disturbed = true;
    r.cost.when = 1'800'000'000;
    r.cost.clock = 19e-6;
    {
        cost_database db;
        REQUIRE(db.open(folder.file()).has_value());
        REQUIRE(db.put(r).has_value());
    }
    cost_database db;
    REQUIRE(db.open(folder.file()).has_value());
    CHECK(db.get(r.key) == r.cost);
    CHECK(all(db) == std::vector<cost_record>{r});
}

TEST_CASE("the least clock is that of undisturbed measurements of this place and of late") {
    const temporary_folder folder;
    cost_database db;
    const auto now = static_cast<std::int64_t>(time(nullptr));
    const auto put = [&](std::uint64_t number, double clock, bool disturbed, std::int64_t when, const char* place) {
        cost_record r = record(number);
        r.cost.clock = clock;
        r.cost.disturbed = disturbed;
        r.cost.when = when;
        r.place = place;
        REQUIRE(db.put(r).has_value());
    };
    CHECK(db.least_clock("cpu") == 0);
    REQUIRE(db.open(folder.file()).has_value());
    CHECK(db.least_clock("cpu") == 0);
    put(1, 5, false, now, "cpu, 2 threads");
    put(2, 4, false, now, "cpu, 1 threads, in a program");
    put(3, 3, true, now, "cpu, 2 threads");
    put(4, 2, false, now - 40 * 86400, "cpu, 2 threads");
    put(5, 1, false, now, "another, 2 threads");
    put(6, 0, false, now, "cpu, 2 threads");
    CHECK(db.least_clock("cpu") == 4);
    CHECK(db.least_clock("another") == 1);
}

TEST_CASE("a file of version 2 is brought up to date, and says of no kernel that it is unchecked") {
    const temporary_folder folder;
    {
        sqlite3* old = nullptr;
        REQUIRE(sqlite3_open(folder.file().c_str(), &old) == SQLITE_OK);
        REQUIRE(
            sqlite3_exec(old,
                         "CREATE TABLE measurement (key BLOB PRIMARY KEY, median REAL NOT NULL, minimum REAL NOT NULL, spread REAL NOT "
                         "NULL, samples INTEGER NOT NULL, failure TEXT NOT NULL, label TEXT NOT NULL, place TEXT NOT NULL, windows "
                         "INTEGER NOT NULL, disturbed INTEGER NOT NULL, measured_at INTEGER NOT NULL, clock REAL NOT NULL) WITHOUT ROWID; "
                         "INSERT INTO measurement VALUES (x'00000000000000020000000000000003', 2.5, 2, 0.25, 7, '', 'a label', 'cpu', 3, "
                         "0, 5, 1); PRAGMA application_id = 1768844409; PRAGMA user_version = 2",
                         nullptr, nullptr, nullptr) == SQLITE_OK);
        sqlite3_close(old);
    }
    measurement known{2.5, 2, 0.25, 7, {}};
    known.windows = 3;
    known.when = 5;
    known.clock = 1;
    cost_record unchecked = record(9);
    unchecked.cost.unchecked = "NonZero: it has no meaning here";
    {
        cost_database db;
        const auto opened = db.open(folder.file());
        REQUIRE_MESSAGE(opened.has_value(), opened.failure().message);
        CHECK(db.get({2, 3}) == known);
        REQUIRE(db.put(unchecked).has_value());
    }
    cost_database db;
    REQUIRE(db.open(folder.file()).has_value());
    CHECK(db.get(unchecked.key) == unchecked.cost);
    std::size_t seen = 0;
    db.for_each([&](const cost_record& r) { seen += r.label == "a label" && r.cost == known; });
    CHECK(seen == 1);
}

TEST_CASE("a file of version 1 is brought up to date, and what it has counts as disturbed; where it can only be read it is read") {
    const temporary_folder folder;
    const auto make = [&](const std::string& path) {
        sqlite3* old = nullptr;
        REQUIRE(sqlite3_open(path.c_str(), &old) == SQLITE_OK);
        REQUIRE(
            sqlite3_exec(old,
                         "CREATE TABLE measurement (key BLOB PRIMARY KEY, median REAL NOT NULL, minimum REAL NOT NULL, spread REAL NOT "
                         "NULL, samples INTEGER NOT NULL, failure TEXT NOT NULL, label TEXT NOT NULL, place TEXT NOT NULL) WITHOUT ROWID; "
                         "INSERT INTO measurement VALUES (x'00000000000000020000000000000003', 2.5, 2, 0.25, 7, '', 'a label', 'cpu'); "
                         "PRAGMA application_id = 1768844409; PRAGMA user_version = 1",
                         nullptr, nullptr, nullptr) == SQLITE_OK);
        sqlite3_close(old);
    };
    measurement known{2.5, 2, 0.25, 7, {}};
    known.disturbed = true;
    make(folder.file());
    {
        cost_database db;
        const auto opened = db.open(folder.file());
        REQUIRE_MESSAGE(opened.has_value(), opened.failure().message);
        CHECK(db.get({2, 3}) == known);
        REQUIRE(db.put(record(9)).has_value());
    }
    cost_database db;
    REQUIRE(db.open(folder.file()).has_value());
    CHECK(db.size() == 2);
    CHECK(db.get({2, 3}) == known);
    CHECK(db.get(record(9).key) == record(9).cost);

    const std::string kept = folder.file("kept.sqlite");
    make(kept);
    std::filesystem::permissions(folder.path, std::filesystem::perms(0555));
    std::filesystem::permissions(kept, std::filesystem::perms(0444));
    const pid_t child = in_child([&] {
        if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0)) return false;
        cost_database reader;
        return reader.open(kept).has_value() && reader.get({2, 3}) == known && reader.size() == 1 && reader.least_clock("cpu") == 0;
    });
    CHECK(succeeded(child));
    std::filesystem::permissions(folder.path, std::filesystem::perms::owner_all);
}

TEST_CASE("keys of any bits keep their order and their identity") {
    const temporary_folder folder;
    cost_database db;
    REQUIRE(db.open(folder.file()).has_value());
    std::map<digest, double> wanted;
    CHECK(rc::check("random keys", [&] {
        cost_record r = record(4);
        r.key = {*rc::gen::arbitrary<std::uint64_t>(), *rc::gen::arbitrary<std::uint64_t>()};
        r.cost.median = *rc::gen::arbitrary<double>();
        wanted[r.key] = r.cost.median;
        RC_ASSERT(db.put(r).has_value());
        RC_ASSERT(db.get(r.key)->median == r.cost.median);
    }));
    std::vector<digest> keys;
    for (const cost_record& r : all(db)) keys.push_back(r.key);
    std::vector<digest> sorted;
    for (const auto& [key, median] : wanted) sorted.push_back(key);
    CHECK(keys == sorted);
}

TEST_CASE("two processes fill one new database at one time and nothing is lost") {
    const temporary_folder folder;
    const auto writer = [&](std::uint64_t from) {
        cost_database db;
        bool good = db.open(folder.file()).has_value();
        for (std::uint64_t i = 0; i < 100; ++i) good = db.put(record(from + i)).has_value() && good;
        return good && db.unsaved() == 0;
    };
    std::vector<pid_t> children;
    for (std::uint64_t i = 0; i < 3; ++i) children.push_back(in_child([&] { return writer(1000 * i); }));
    for (const pid_t child : children) CHECK(succeeded(child));
    cost_database db;
    REQUIRE(db.open(folder.file()).has_value());
    CHECK(db.size() == 300);
}

TEST_CASE("two connections of one process see what the other wrote") {
    const temporary_folder folder;
    cost_database a, b;
    REQUIRE(a.open(folder.file()).has_value());
    REQUIRE(b.open(folder.file()).has_value());
    fill(a, 0, 5);
    CHECK(b.get(record(4).key) == record(4).cost);
    fill(b, 5, 8);
    CHECK(a.size() == 8);
}

TEST_CASE("what is no database of ours is refused in one sentence, left as it is, and measuring goes on in memory") {
    const temporary_folder folder;
    const auto refusal = [&](const std::string& path) {
        cost_database db;
        const auto opened = db.open(path);
        REQUIRE_FALSE(opened.has_value());
        CHECK_FALSE(db.is_open());
        CHECK_FALSE(db.put(record(1)).has_value());
        CHECK(db.get(record(1).key) == record(1).cost);
        CHECK(db.unsaved() == 1);
        return opened.failure().message;
    };
    SUBCASE("text") {
        std::ofstream(folder.file())
            << "these are my notes, and they are long enough to have a header in them; more text, more text, more text, more text";
        const auto before = std::filesystem::file_size(folder.file());
        CHECK(refusal(folder.file()) == "the cost database '" + folder.file() +
                                            "' is damaged or no database (file is not a database); move it away and measure anew");
        CHECK(std::filesystem::file_size(folder.file()) == before);
    }
    SUBCASE("another program's database") {
        sqlite3* other = nullptr;
        REQUIRE(sqlite3_open(folder.file().c_str(), &other) == SQLITE_OK);
        REQUIRE(sqlite3_exec(other, "CREATE TABLE photos (name TEXT)", nullptr, nullptr, nullptr) == SQLITE_OK);
        sqlite3_close(other);
        CHECK(refusal(folder.file()) == "the cost database '" + folder.file() + "' belongs to another program; choose another file");
    }
    SUBCASE("a later version") {
        {
            cost_database db;
            REQUIRE(db.open(folder.file()).has_value());
        }
        sqlite3* later = nullptr;
        REQUIRE(sqlite3_open(folder.file().c_str(), &later) == SQLITE_OK);
        REQUIRE(sqlite3_exec(later, "PRAGMA user_version = 9", nullptr, nullptr, nullptr) == SQLITE_OK);
        sqlite3_close(later);
        CHECK(refusal(folder.file()) ==
              "the cost database '" + folder.file() + "' has tables of version 9 where this build knows version 3; choose another file");
    }
    SUBCASE("a folder, and a file in a folder that is not there") {
        CHECK(refusal(folder.path.string()).find("cannot be opened (") != std::string::npos);
        CHECK(refusal(folder.file("no/such.sqlite")) ==
              "the cost database '" + folder.file("no/such.sqlite") +
                  "' cannot be opened (unable to open database file); choose a path that can be written to");
    }
}

TEST_CASE("a file cut or overwritten anywhere gives a sentence or its sound part, never a crash") {
    const temporary_folder folder;
    {
        cost_database db;
        REQUIRE(db.open(folder.file()).has_value());
        fill(db, 0, 400);
    }
    std::ifstream in(folder.file(), std::ios::binary);
    const std::string whole((std::istreambuf_iterator<char>(in)), {});
    REQUIRE(whole.size() > 8192);
    CHECK(rc::check("random damage", [&] {
        std::string bytes = whole;
        if (*rc::gen::arbitrary<bool>()) bytes.resize(*rc::gen::inRange<std::size_t>(1, bytes.size()));
        for (int i = *rc::gen::inRange(0, 40); i > 0; --i)
            bytes[*rc::gen::inRange<std::size_t>(
                0, *rc::gen::arbitrary<bool>() ? std::min<std::size_t>(bytes.size(), 200) : bytes.size())] = *rc::gen::arbitrary<char>();
        const std::string path = folder.file("damaged.sqlite");
        for (const char* end : {"", "-wal", "-shm"}) std::filesystem::remove(path + end);
        std::ofstream(path, std::ios::binary) << bytes;
        cost_database db;
        const auto opened = db.open(path);
        RC_ASSERT((opened.has_value() || !opened.failure().message.empty()));
        const auto stored = db.put(record(1000));
        RC_ASSERT((stored.has_value() || !stored.failure().message.empty()));
        RC_ASSERT(db.unsaved() == (stored.has_value() ? 0u : 1u));
        if (!stored.has_value()) RC_ASSERT(db.get(record(1000).key) == record(1000).cost);
        std::size_t seen = 0;
        db.for_each([&](const cost_record&) { ++seen; });
        // Damaged pages may lead to the same rows several times, but not for ever.
        RC_ASSERT(seen <= 1'000'000u);
    }));
}

TEST_CASE("a database that can only be read is read, and what is put stays in memory") {
    const temporary_folder folder;
    {
        cost_database db;
        REQUIRE(db.open(folder.file()).has_value());
        fill(db, 0, 3);
    }
    // Root may write everywhere, so the reader is somebody else.
    std::filesystem::permissions(folder.path, std::filesystem::perms(0555));
    std::filesystem::permissions(folder.file(), std::filesystem::perms(0444));
    const pid_t child = in_child([&] {
        if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0)) return false;
        cost_database db;
        bool good = db.open(folder.file()).has_value() && db.get(record(2).key) == record(2).cost;
        const auto stored = db.put(record(7));
        good = good && !stored &&
               stored.failure().message ==
                   "the cost database '" + folder.file() +
                       "' does not take 1 measurements (can only be read); they are kept in memory until the end of this run, so "
                       "make room or choose another file";
        good = good && db.get(record(7).key) == record(7).cost && db.size() == 4 && db.unsaved() == 1;
        cost_database fresh;
        const auto made = fresh.open(folder.file("new.sqlite"));
        return good && !made && made.failure().message.find("cannot be opened (unable to open database file)") != std::string::npos;
    });
    CHECK(succeeded(child));
    std::filesystem::permissions(folder.path, std::filesystem::perms::owner_all);
}

TEST_CASE("a warm database on a full disk keeps its prices, those of a log that was left too") {
    for (const bool has_log : {false, true}) {
        CAPTURE(has_log);
        const temporary_folder folder;
        {
            cost_database db;
            REQUIRE(db.open(folder.file()).has_value());
            fill(db, 1, 50);
            if (has_log) {
                // As a process leaves it that is killed.
                for (const char* end : {"", "-wal"}) std::filesystem::copy_file(folder.file() + end, folder.file("left.sqlite") + end);
            }
        }
        if (!has_log) std::filesystem::copy_file(folder.file(), folder.file("left.sqlite"));
        const pid_t child = in_child([&] {
            signal(SIGXFSZ, SIG_IGN);
            const rlimit none{0, RLIM_INFINITY};
            setrlimit(RLIMIT_FSIZE, &none);
            cost_database db;
            const auto opened = db.open(folder.file("left.sqlite"));
            if (!opened) std::fprintf(stderr, "%s\n", opened.failure().message.c_str());
            bool good = opened.has_value();
            for (std::uint64_t i = 1; i < 50; ++i) good = good && db.get(record(i).key) == record(i).cost;
            // What is new stays in memory, and is said.
            return good && !db.put(record(70)).has_value() && db.get(record(70).key) == record(70).cost;
        });
        CHECK(succeeded(child));
        cost_database db;
        REQUIRE(db.open(folder.file("left.sqlite")).has_value());
        CHECK(db.size() == 49);
    }
}

TEST_CASE("a locked database costs one wait, and takes all once it is free") {
    const temporary_folder folder;
    const auto execute = [](sqlite3* db, const char* sql) { REQUIRE(sqlite3_exec(db, sql, nullptr, nullptr, nullptr) == SQLITE_OK); };
    cost_database db;
    REQUIRE(db.open(folder.file()).has_value());
    sqlite3* other = nullptr;
    REQUIRE(sqlite3_open(folder.file().c_str(), &other) == SQLITE_OK);
    execute(other, "BEGIN IMMEDIATE");
    const auto start = std::chrono::steady_clock::now();
    for (std::uint64_t i = 0; i < 20; ++i) CHECK_FALSE(db.put(record(i)).has_value());
    CHECK_FALSE(db.keep_decision({1, 2}, "decided").has_value());
    CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(19));
    execute(other, "COMMIT");
    CHECK(db.put(record(20)).has_value());
    CHECK(db.unsaved() == 0);
    CHECK(db.size() == 21);
    sqlite3_close(other);
}

TEST_CASE("a database that another process has for itself is called locked, not damaged") {
    const temporary_folder folder;
    sqlite3* other = nullptr;
    {
        cost_database made;
        REQUIRE(made.open(folder.file()).has_value());
    }
    REQUIRE(sqlite3_open(folder.file().c_str(), &other) == SQLITE_OK);
    REQUIRE(sqlite3_exec(other, "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE", nullptr, nullptr, nullptr) == SQLITE_OK);
    cost_database db;
    const auto start = std::chrono::steady_clock::now();
    const auto opened = db.open(folder.file());
    REQUIRE_FALSE(opened.has_value());
    CHECK(opened.failure().message == "the cost database '" + folder.file() +
                                          "' is locked by another process (database is locked); end that process, or choose another file");
    CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(19));
    sqlite3_close(other);
}

TEST_CASE("a full disk is said in one sentence, nothing is lost, and once there is room all is written") {
    const temporary_folder folder;
    const pid_t child = in_child([&] {
        signal(SIGXFSZ, SIG_IGN);
        cost_database db;
        if (!db.open(folder.file())) return false;
        // A limit on the size of files stands in for the disk.
        const rlimit tight{120 * 1024, RLIM_INFINITY}, wide{RLIM_INFINITY, RLIM_INFINITY};
        setrlimit(RLIMIT_FSIZE, &tight);
        bool refused = false;
        std::string sentence;
        for (std::uint64_t i = 0; i < 3000; i += 100) {
            std::vector<cost_record> records;
            for (std::uint64_t k = i; k < i + 100; ++k) records.push_back(record(k));
            if (const auto stored = db.put(records); !stored) {
                refused = true;
                sentence = stored.failure().message;
            }
        }
        bool good = refused && sentence.find("they are kept in memory") != std::string::npos && db.unsaved() != 0;
        for (std::uint64_t i = 0; i < 3000; ++i) good = good && db.get(record(i).key) == record(i).cost;
        setrlimit(RLIMIT_FSIZE, &wide);
        return good && db.flush().has_value() && db.unsaved() == 0;
    });
    CHECK(succeeded(child));
    cost_database db;
    REQUIRE(db.open(folder.file()).has_value());
    CHECK(db.size() == 3000);
}
