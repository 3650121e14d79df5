// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_COST_DATABASE_HPP
#define INLAY_COST_DATABASE_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <sqlite3.h>
#include <sys/stat.h>

#include <inlay/core/digest.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/cost/measurement.hpp>

namespace inlay {

/// One measurement as the database keeps it: under its key, with words for people about what was measured.
struct cost_record {
    digest key;
    measurement cost;
    std::string label;  // "onednn: Conv+Relu", "convert float32:plain to float32:channels_last"
    std::string place;  // of the machine and the thread count

    friend bool operator==(const cost_record&, const cost_record&) = default;
};

/// One check of a kernel as the database keeps it.
struct check_record {
    digest key;
    double largest_error = 0;  // of the compared elements, as a share of what is allowed
    std::size_t compared = 0;  // elements
    std::string failure;       // why the kernel is wrong; empty where it is right
    std::string label = {};    // of the back end and its composite
    std::string place = {};    // of the machine and the thread count

    friend bool operator==(const check_record&, const check_record&) = default;
};

/// Measurements by content key, and what was decided by them, in an SQLite file that several processes may use at once. What was put is
/// kept in memory as well until the file has it: without a file, or where it cannot be written, everything goes on in memory, and each
/// later `put` tries again to write all. Move-only; for one thread at a time.
class cost_database {
public:
    /// Raised when the tables change. A file of a later one is refused, not touched; one of an earlier one is brought up to date, or read
    /// as it is where it can only be read. Measurements of version 1 come back as disturbed: nobody watched the machine then.
    static constexpr int schema = 3;

    cost_database() = default;
    cost_database(cost_database&& other) noexcept
        : path_(std::move(other.path_)),
          columns_(std::move(other.columns_)),
          connection_(std::exchange(other.connection_, nullptr)),
          select_(std::exchange(other.select_, nullptr)),
          insert_(std::exchange(other.insert_, nullptr)),
          unsaved_(std::move(other.unsaved_)),
          checks_(std::move(other.checks_)) {}
    cost_database& operator=(cost_database&& other) noexcept {
        std::swap(path_, other.path_);
        std::swap(columns_, other.columns_);
        std::swap(connection_, other.connection_);
        std::swap(select_, other.select_);
        std::swap(insert_, other.insert_);
        std::swap(unsaved_, other.unsaved_);
        std::swap(checks_, other.checks_);
        return *this;
    }
    ~cost_database() { close(); }

    /// Opens the file, or makes it; then writes to it what is only in memory. Error: it cannot be opened, is of something else or
    /// damaged; the object then works in memory and the file is as it was. A file that can only be read is opened for reading.
    [[nodiscard]] outcome<void> open(const std::string& path) {
        close();
        path_ = path;
        columns_ = all_columns;
        int code = sqlite3_open_v2(path.c_str(), &connection_, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nullptr);
        // Two processes that write at one moment wait for each other.
        if (code == SQLITE_OK) be_patient();
        // In a folder that cannot be written to, and on a full disk, the file beside it that readers share cannot be made. Without other
        // readers none is needed, and the log of a process that ended early is read too. Without a log the file is read as it stands.
        bool is_readable = code == SQLITE_OK && number("SELECT count(*) FROM sqlite_schema").has_value();
        if (code == SQLITE_OK && !is_readable && lacks_room_beside() && has_log(path)) {
            // A connection has to know that before it first reads.
            sqlite3_close(std::exchange(connection_, nullptr));
            code = sqlite3_open_v2(path.c_str(), &connection_, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nullptr);
            (void)run("PRAGMA locking_mode = EXCLUSIVE");
            is_readable = number("SELECT count(*) FROM sqlite_schema").has_value();
        }
        if (code != SQLITE_OK || (!is_readable && lacks_room_beside())) {
            sqlite3_close(std::exchange(connection_, nullptr));
            code = sqlite3_open_v2(as_it_stands(path).c_str(), &connection_, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX,
                                   nullptr);
        }
        if (code != SQLITE_OK) return give_up("cannot be opened", "choose a path that can be written to");
        if (auto known = look(); !known) return known;
        if (prepare(("SELECT " + columns_ + " FROM measurement WHERE key = ?1").c_str(), &select_) != SQLITE_OK)
            return give_up("cannot be read", "move it away and measure anew");
        // A file that can only be read has no use for it.
        if (sqlite3_db_readonly(connection_, "main") == 0)
            (void)prepare(
                "INSERT OR REPLACE INTO measurement (key, median, minimum, spread, samples, failure, windows, disturbed, measured_at, "
                "clock, unchecked, label, place) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
                &insert_);
        return unsaved_.empty() ? outcome<void>() : flush();
    }

    [[nodiscard]] bool is_open() const { return connection_ != nullptr; }
    [[nodiscard]] const std::string& path() const { return path_; }
    /// How many measurements are only in memory.
    [[nodiscard]] std::size_t unsaved() const { return unsaved_.size(); }

    /// The measurement under that key, if there is one. A file that cannot be read has none.
    [[nodiscard]] std::optional<measurement> get(const digest& key) {
        if (const auto at = unsaved_.find(key); at != unsaved_.end()) return at->second.cost;
        if (select_ == nullptr) return std::nullopt;
        const auto bytes = bytes_of(key);
        sqlite3_bind_blob(select_, 1, bytes.data(), static_cast<int>(bytes.size()), SQLITE_TRANSIENT);
        std::optional<measurement> found;
        if (heard(sqlite3_step(select_)) == SQLITE_ROW) found = measurement_at(select_, 0);
        sqlite3_reset(select_);
        return found;
    }

    /// Keeps measurements, replacing older ones of equal key, all in one transaction. Error: the file does not take them; they are kept
    /// in memory, nothing is lost as long as this object lives.
    [[nodiscard]] outcome<void> put(const std::vector<cost_record>& records) {
        for (const cost_record& r : records) unsaved_.insert_or_assign(r.key, r);
        return flush();
    }
    [[nodiscard]] outcome<void> put(const cost_record& record) { return put(std::vector<cost_record>{record}); }

    /// Writes what is only in memory. Nothing to do is a success.
    [[nodiscard]] outcome<void> flush() {
        if (unsaved_.empty() || path_.empty()) return {};
        if (insert_ == nullptr) return refused(is_open() ? "can only be read" : "is not open");
        if (run("BEGIN IMMEDIATE") != SQLITE_OK) return refused(reason());
        bool good = true;
        std::string why;
        for (auto at = unsaved_.begin(); good && at != unsaved_.end(); ++at) {
            good = insert(at->second) == SQLITE_DONE;
            if (!good) why = reason();
        }
        if (good && run("COMMIT") != SQLITE_OK) {
            good = false;
            why = reason();
        }
        if (!good) {
            (void)run("ROLLBACK");
            return refused(why);
        }
        unsaved_.clear();
        be_patient();
        return {};
    }

    /// Calls `use(record)` for every measurement of file and memory, in ascending order of key. False where the file could not be read
    /// to its end.
    template <class F>
    bool for_each(F&& use) {
        auto next = unsaved_.begin();
        bool whole = true;
        if (connection_ != nullptr) {
            sqlite3_stmt* all = nullptr;
            whole = prepare(("SELECT " + columns_ + ", key, label, place FROM measurement ORDER BY key").c_str(), &all) == SQLITE_OK;
            int code = SQLITE_DONE;
            while (whole && (code = sqlite3_step(all)) == SQLITE_ROW) {
                const auto key = key_at(all, 10);
                if (!key) continue;
                for (; next != unsaved_.end() && next->first < *key; ++next) use(static_cast<const cost_record&>(next->second));
                if (next != unsaved_.end() && next->first == *key) continue;
                use(static_cast<const cost_record&>(cost_record{*key, measurement_at(all, 0), text_at(all, 11), text_at(all, 12)}));
            }
            whole = whole && code == SQLITE_DONE;
            sqlite3_finalize(all);
        }
        for (; next != unsaved_.end(); ++next) use(static_cast<const cost_record&>(next->second));
        return whole;
    }

    /// The least reading of the clock kernel beside measurements of the last thirty days whose place begins like that; 0 where there is
    /// none.
    [[nodiscard]] double least_clock(const std::string& place) {
        double least = 0;
        const auto take = [&](double clock) { least = least > 0 ? std::min(least, clock) : clock; };
        for (const auto& [key, r] : unsaved_)
            if (!r.cost.disturbed && r.cost.clock > 0 && r.place.starts_with(place)) take(r.cost.clock);
        if (connection_ == nullptr || columns_ != all_columns) return least;
        sqlite3_stmt* statement = nullptr;
        if (prepare("SELECT min(clock) FROM measurement WHERE clock > 0 AND disturbed = 0 AND substr(place, 1, length(?1)) = ?1 AND "
                    "measured_at > CAST(strftime('%s', 'now') AS INTEGER) - 2592000",
                    &statement) == SQLITE_OK) {
            sqlite3_bind_text(statement, 1, place.c_str(), static_cast<int>(place.size()), SQLITE_TRANSIENT);
            if (sqlite3_step(statement) == SQLITE_ROW && sqlite3_column_type(statement, 0) != SQLITE_NULL)
                take(sqlite3_column_double(statement, 0));
        }
        sqlite3_finalize(statement);
        return least;
    }

    /// The text of what was last decided under that key, if the file has one.
    [[nodiscard]] std::optional<std::string> decision(const digest& key) {
        sqlite3_stmt* statement = nullptr;
        std::optional<std::string> found;
        if (connection_ == nullptr) return found;
        // A file in which nothing was decided yet has no such table.
        if (prepare("SELECT decided FROM decision WHERE key = ?1", &statement) == SQLITE_OK) {
            const auto bytes = bytes_of(key);
            sqlite3_bind_blob(statement, 1, bytes.data(), static_cast<int>(bytes.size()), SQLITE_TRANSIENT);
            if (sqlite3_step(statement) == SQLITE_ROW) found = text_at(statement, 0);
        }
        sqlite3_finalize(statement);
        return found;
    }

    /// Keeps a text under a key beside the measurements, in place of what was kept there. Error: the file does not take it, or there is
    /// none; it is then decided anew next time.
    [[nodiscard]] outcome<void> keep_decision(const digest& key, const std::string& decided) {
        const auto not_kept = [&](const std::string& why) {
            return error{"the cost database " + quoted_text(path_, 400) + " does not take what was decided (" + why +
                         "); make room or choose another file"};
        };
        if (insert_ == nullptr) return not_kept(is_open() ? "it can only be read" : "it is not open");
        sqlite3_stmt* statement = nullptr;
        int code = run("CREATE TABLE IF NOT EXISTS decision (key BLOB PRIMARY KEY, decided TEXT NOT NULL)");
        if (code == SQLITE_OK) code = prepare("INSERT OR REPLACE INTO decision (key, decided) VALUES (?1, ?2)", &statement);
        if (code == SQLITE_OK) {
            const auto bytes = bytes_of(key);
            sqlite3_bind_blob(statement, 1, bytes.data(), static_cast<int>(bytes.size()), SQLITE_TRANSIENT);
            sqlite3_bind_text(statement, 2, decided.c_str(), static_cast<int>(decided.size()), SQLITE_TRANSIENT);
            code = heard(sqlite3_step(statement));
        }
        const std::string why = code == SQLITE_DONE ? std::string() : reason();
        sqlite3_finalize(statement);
        if (code != SQLITE_DONE) return not_kept(why);
        return {};
    }

    /// The check of a kernel under that key, if there is one.
    [[nodiscard]] std::optional<check_record> find_check(const digest& key) {
        if (const auto at = checks_.find(key); at != checks_.end()) return at->second;
        std::optional<check_record> found;
        sqlite3_stmt* statement = nullptr;
        // A file in which no kernel was checked yet has no such table.
        if (connection_ != nullptr &&
            prepare("SELECT largest_error, compared, failure, label, place FROM kernel_check WHERE key = ?1", &statement) == SQLITE_OK) {
            const auto bytes = bytes_of(key);
            sqlite3_bind_blob(statement, 1, bytes.data(), static_cast<int>(bytes.size()), SQLITE_TRANSIENT);
            if (sqlite3_step(statement) == SQLITE_ROW) found = check_at(statement, key);
        }
        sqlite3_finalize(statement);
        return found;
    }

    /// Calls `use(record)` for every check that the file has, in ascending order of key. False where it could not be read to its end.
    template <class F>
    bool for_each_check(F&& use) {
        sqlite3_stmt* all = nullptr;
        if (connection_ == nullptr) return true;
        // A file in which no kernel was checked yet has no such table.
        if (prepare("SELECT largest_error, compared, failure, label, place, key FROM kernel_check ORDER BY key", &all) != SQLITE_OK)
            return true;
        int code = SQLITE_DONE;
        while ((code = sqlite3_step(all)) == SQLITE_ROW)
            if (const auto key = key_at(all, 5)) use(check_at(all, *key));
        sqlite3_finalize(all);
        return code == SQLITE_DONE;
    }

    /// Keeps a check, in place of one of equal key. Error: the file does not take it; it is then kept in memory.
    [[nodiscard]] outcome<void> keep_check(const check_record& record) {
        checks_.insert_or_assign(record.key, record);
        // A file that is locked costs one wait, not one for each kernel.
        if (insert_ == nullptr || refuses_checks_)
            return error{"the cost database " + quoted_text(path_, 400) + " does not take the check of a kernel; choose another file"};
        sqlite3_stmt* statement = nullptr;
        int code =
            run("CREATE TABLE IF NOT EXISTS kernel_check (key BLOB PRIMARY KEY, largest_error REAL NOT NULL, compared INTEGER NOT "
                "NULL, failure TEXT NOT NULL, label TEXT NOT NULL, place TEXT NOT NULL, checked_at INTEGER NOT NULL)");
        if (code == SQLITE_OK)
            code = prepare(
                "INSERT OR REPLACE INTO kernel_check (key, largest_error, compared, failure, label, place, checked_at) VALUES "
                "(?1, ?2, ?3, ?4, ?5, ?6, CAST(strftime('%s', 'now') AS INTEGER))",
                &statement);
        if (code == SQLITE_OK) {
            const auto bytes = bytes_of(record.key);
            const auto text = [&](int column, const std::string& t) {
                sqlite3_bind_text(statement, column, t.c_str(), static_cast<int>(t.size()), SQLITE_TRANSIENT);
            };
            sqlite3_bind_blob(statement, 1, bytes.data(), static_cast<int>(bytes.size()), SQLITE_TRANSIENT);
            sqlite3_bind_double(statement, 2, record.largest_error);
            sqlite3_bind_int64(statement, 3, static_cast<std::int64_t>(record.compared));
            text(4, record.failure);
            text(5, record.label);
            text(6, record.place);
            code = heard(sqlite3_step(statement));
        }
        const std::string why = code == SQLITE_DONE ? std::string() : reason();
        sqlite3_finalize(statement);
        refuses_checks_ = code != SQLITE_DONE;
        if (refuses_checks_)
            return error{"the cost database " + quoted_text(path_, 400) + " does not take the check of a kernel (" + why +
                         "); make room or choose another file"};
        return {};
    }

    /// How many measurements there are.
    [[nodiscard]] std::size_t size() {
        std::size_t count = 0;
        for_each([&](const cost_record&) { ++count; });
        return count;
    }

private:
    static constexpr int application = 0x696E6C79;  // "inly": tells our files from other programs'

    [[nodiscard]] error refused(const std::string& why) const {
        return {"the cost database " + quoted_text(path_, 400) + " does not take " + std::to_string(unsaved_.size()) + " measurements (" +
                why + "); they are kept in memory until the end of this run, so make room or choose another file"};
    }
    [[nodiscard]] std::string reason() const { return sqlite3_errmsg(connection_); }
    outcome<void> give_up(const std::string& what, const std::string& remedy) {
        const std::string why = connection_ == nullptr ? std::string("out of memory") : reason();
        close();
        return error{"the cost database " + quoted_text(path_, 400) + " " + what + " (" + why + "); " + remedy};
    }
    void close() {
        sqlite3_finalize(std::exchange(select_, nullptr));
        sqlite3_finalize(std::exchange(insert_, nullptr));
        sqlite3_close(std::exchange(connection_, nullptr));
    }

    /// The path as an URI that promises nobody writes to the file.
    static std::string as_it_stands(const std::string& path) {
        std::string uri = "file:";
        for (const char c : path) {
            if (c == '?' || c == '#' || c == '%') {
                uri += '%';
                uri += "0123456789ABCDEF"[static_cast<unsigned char>(c) >> 4];
                uri += "0123456789ABCDEF"[static_cast<unsigned char>(c) & 15];
            } else {
                uri += c;
            }
        }
        return uri + "?immutable=1";
    }

    /// How long a file that is locked is waited for, in milliseconds. One wait is enough: after it the file is tried without another, until
    /// it takes something.
    void be_patient() { sqlite3_busy_timeout(connection_, 10000); }
    int heard(int code) {
        if ((code & 0xFF) == SQLITE_BUSY) sqlite3_busy_timeout(connection_, 0);
        return code;
    }
    /// Whether the last call failed since something beside the file cannot be made or written.
    [[nodiscard]] bool lacks_room_beside() const {
        const int code = sqlite3_errcode(connection_) & 0xFF;
        return code == SQLITE_CANTOPEN || code == SQLITE_READONLY || code == SQLITE_FULL || code == SQLITE_IOERR;
    }
    /// Whether there is a log of changes beside the file that is not empty.
    [[nodiscard]] static bool has_log(const std::string& path) {
        struct stat facts {};
        return ::stat((path + "-wal").c_str(), &facts) == 0 && facts.st_size != 0;
    }

    int run(const char* sql) { return heard(sqlite3_exec(connection_, sql, nullptr, nullptr, nullptr)); }
    int prepare(const char* sql, sqlite3_stmt** statement) { return sqlite3_prepare_v2(connection_, sql, -1, statement, nullptr); }

    /// The value of a pragma or a count; nothing where it cannot be had.
    std::optional<std::int64_t> number(const char* sql) {
        sqlite3_stmt* statement = nullptr;
        std::optional<std::int64_t> value;
        if (heard(prepare(sql, &statement)) == SQLITE_OK && heard(sqlite3_step(statement)) == SQLITE_ROW)
            value = sqlite3_column_int64(statement, 0);
        sqlite3_finalize(statement);
        return value;
    }

    /// Looks whose file this is, and makes the tables in an empty one.
    outcome<void> look() {
        // The tables first: another process may make them now, and where there are some it has said whose they are.
        const auto tables = number("SELECT count(*) FROM sqlite_schema");
        const auto owner = number("PRAGMA application_id"), version = number("PRAGMA user_version");
        if (!owner || !version || !tables) {
            const int code = sqlite3_errcode(connection_) & 0xFF;
            if (code == SQLITE_BUSY) return give_up("is locked by another process", "end that process, or choose another file");
            if (code != SQLITE_NOTADB && code != SQLITE_CORRUPT) return give_up("cannot be read", "make room, or choose another file");
            return give_up("is damaged or no database", "move it away and measure anew");
        }
        if (*tables == 0) {
            // Another process may be doing the same. Where readers and writers cannot work side by side, they take turns.
            (void)run("PRAGMA journal_mode = WAL");
            const bool made =
                run("BEGIN IMMEDIATE") == SQLITE_OK &&
                run("CREATE TABLE IF NOT EXISTS measurement (key BLOB PRIMARY KEY, median REAL NOT NULL, minimum REAL NOT NULL, "
                    "spread REAL NOT NULL, samples INTEGER NOT NULL, failure TEXT NOT NULL, label TEXT NOT NULL, place TEXT NOT NULL, "
                    "windows INTEGER NOT NULL, disturbed INTEGER NOT NULL, measured_at INTEGER NOT NULL, clock REAL NOT NULL, unchecked "
                    "TEXT "
                    "NOT NULL DEFAULT '') "
                    "WITHOUT ROWID") == SQLITE_OK &&
                run(("PRAGMA application_id = " + std::to_string(application)).c_str()) == SQLITE_OK &&
                run(("PRAGMA user_version = " + std::to_string(schema)).c_str()) == SQLITE_OK && run("COMMIT") == SQLITE_OK;
            if (!made) return give_up("cannot be set up", "choose a path that can be written to");
        } else if (*owner != application) {
            return foreign("belongs to another program", "choose another file");
        } else if (*version > schema || *version < 1) {
            return foreign(
                "has tables of version " + std::to_string(*version) + " where this build knows version " + std::to_string(schema),
                "choose another file");
        } else if (*version < schema && !(sqlite3_db_readonly(connection_, "main") == 0 && bring_up_to_date())) {
            if (sqlite3_db_readonly(connection_, "main") == 0)
                return give_up("is of an older version and cannot be brought up to date", "make room, or choose another file");
            columns_ = *version == 1 ? "median, minimum, spread, samples, failure, 0, 1, 0, 0.0, ''"
                                     : "median, minimum, spread, samples, failure, windows, disturbed, measured_at, clock, ''";
        }
        // A commit then costs no wait for the disk; a crash of the machine may lose the last ones, never the file.
        (void)run("PRAGMA synchronous = NORMAL");
        return {};
    }
    /// From an earlier version. Another process may be doing the same.
    bool bring_up_to_date() {
        if (run("BEGIN IMMEDIATE") != SQLITE_OK) return false;
        const std::int64_t version = number("PRAGMA user_version").value_or(schema);
        bool good = true;
        const auto add = [&](const std::string& column) {
            good = good && run(("ALTER TABLE measurement ADD COLUMN " + column).c_str()) == SQLITE_OK;
        };
        if (version < 2) {
            add("windows INTEGER NOT NULL DEFAULT 0");
            add("disturbed INTEGER NOT NULL DEFAULT 1");
            add("measured_at INTEGER NOT NULL DEFAULT 0");
            add("clock REAL NOT NULL DEFAULT 0");
        }
        if (version < 3) add("unchecked TEXT NOT NULL DEFAULT ''");
        if (version < schema) good = good && run(("PRAGMA user_version = " + std::to_string(schema)).c_str()) == SQLITE_OK;
        if (!good) {
            (void)run("ROLLBACK");
            return false;
        }
        return run("COMMIT") == SQLITE_OK;
    }
    outcome<void> foreign(const std::string& what, const std::string& remedy) {
        close();
        return error{"the cost database " + quoted_text(path_, 400) + " " + what + "; " + remedy};
    }

    static std::array<unsigned char, 16> bytes_of(const digest& key) {
        std::array<unsigned char, 16> bytes{};
        for (std::size_t i = 0; i < 8; ++i) {
            bytes[i] = static_cast<unsigned char>(key.high >> (56 - 8 * i));
            bytes[8 + i] = static_cast<unsigned char>(key.low >> (56 - 8 * i));
        }
        return bytes;
    }
    static std::optional<digest> key_at(sqlite3_stmt* row, int column) {
        if (sqlite3_column_bytes(row, column) != 16) return std::nullopt;
        const auto* bytes = static_cast<const unsigned char*>(sqlite3_column_blob(row, column));
        digest key;
        for (std::size_t i = 0; i < 8; ++i) {
            key.high = key.high << 8 | bytes[i];
            key.low = key.low << 8 | bytes[8 + i];
        }
        return key;
    }
    static std::string text_at(sqlite3_stmt* row, int column) {
        const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(row, column));
        return text == nullptr ? std::string() : std::string(text, static_cast<std::size_t>(sqlite3_column_bytes(row, column)));
    }
    static check_record check_at(sqlite3_stmt* row, const digest& key) {
        return {key,
                sqlite3_column_double(row, 0),
                static_cast<std::size_t>(sqlite3_column_int64(row, 1)),
                text_at(row, 2),
                text_at(row, 3),
                text_at(row, 4)};
    }
    static measurement measurement_at(sqlite3_stmt* row, int first) {
        measurement m;
        m.median = sqlite3_column_double(row, first);
        m.minimum = sqlite3_column_double(row, first + 1);
        m.spread = sqlite3_column_double(row, first + 2);
        m.samples = static_cast<std::uint32_t>(sqlite3_column_int64(row, first + 3));
        m.failure = text_at(row, first + 4);
        m.windows = static_cast<std::uint32_t>(sqlite3_column_int64(row, first + 5));
        m.disturbed = sqlite3_column_int64(row, first + 6) != 0;
        m.when = sqlite3_column_int64(row, first + 7);
        m.clock = sqlite3_column_double(row, first + 8);
        m.unchecked = text_at(row, first + 9);
        return m;
    }
    int insert(const cost_record& r) {
        const auto bytes = bytes_of(r.key);
        const auto text = [&](int column, const std::string& t) {
            sqlite3_bind_text(insert_, column, t.c_str(), static_cast<int>(t.size()), SQLITE_TRANSIENT);
        };
        sqlite3_bind_blob(insert_, 1, bytes.data(), static_cast<int>(bytes.size()), SQLITE_TRANSIENT);
        sqlite3_bind_double(insert_, 2, r.cost.median);
        sqlite3_bind_double(insert_, 3, r.cost.minimum);
        sqlite3_bind_double(insert_, 4, r.cost.spread);
        sqlite3_bind_int64(insert_, 5, r.cost.samples);
        text(6, r.cost.failure);
        sqlite3_bind_int64(insert_, 7, r.cost.windows);
        sqlite3_bind_int64(insert_, 8, r.cost.disturbed ? 1 : 0);
        sqlite3_bind_int64(insert_, 9, r.cost.when);
        sqlite3_bind_double(insert_, 10, r.cost.clock);
        text(11, r.cost.unchecked);
        text(12, r.label);
        text(13, r.place);
        const int code = sqlite3_step(insert_);
        sqlite3_reset(insert_);
        return code;
    }

    static constexpr const char* all_columns =
        "median, minimum, spread, samples, failure, windows, disturbed, measured_at, clock, unchecked";

    std::string path_;
    std::string columns_ = all_columns;  // what they are where the file is of an older version
    sqlite3* connection_ = nullptr;
    sqlite3_stmt* select_ = nullptr;
    sqlite3_stmt* insert_ = nullptr;
    std::map<digest, cost_record> unsaved_;  // what the file does not have
    std::map<digest, check_record> checks_;  // of this run
    bool refuses_checks_ = false;            // the file did not take one
};

}  // namespace inlay

#endif
