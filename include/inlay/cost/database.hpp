// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_COST_DATABASE_HPP
#define INLAY_COST_DATABASE_HPP

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

#include <inlay/core/digest.hpp>
#include <inlay/core/outcome.hpp>
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

/// Measurements by content key, in an SQLite file that several processes may use at once. What was put is kept in memory as well until
/// the file has it: without a file, or where it cannot be written, everything goes on in memory, and each later `put` tries again to
/// write all. Move-only; for one thread at a time.
class cost_database {
public:
    /// Raised when the tables change. A file of a later one is refused, not touched.
    static constexpr int schema = 1;

    cost_database() = default;
    cost_database(cost_database&& other) noexcept
        : path_(std::move(other.path_)), connection_(std::exchange(other.connection_, nullptr)), select_(std::exchange(other.select_, nullptr)),
          insert_(std::exchange(other.insert_, nullptr)), unsaved_(std::move(other.unsaved_)) {}
    cost_database& operator=(cost_database&& other) noexcept {
        std::swap(path_, other.path_);
        std::swap(connection_, other.connection_);
        std::swap(select_, other.select_);
        std::swap(insert_, other.insert_);
        std::swap(unsaved_, other.unsaved_);
        return *this;
    }
    ~cost_database() { close(); }

    /// Opens the file, or makes it; then writes to it what is only in memory. Error: it cannot be opened, is of something else or
    /// damaged; the object then works in memory and the file is as it was. A file that can only be read is opened for reading.
    [[nodiscard]] outcome<void> open(const std::string& path) {
        close();
        path_ = path;
        int code = sqlite3_open_v2(path.c_str(), &connection_, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nullptr);
        // Two processes that write at one moment wait for each other.
        if (code == SQLITE_OK) sqlite3_busy_timeout(connection_, 10000);
        // In a folder that cannot be written to, the file beside it that readers share cannot be made: then it is read as it stands.
        if (code != SQLITE_OK || (!number("SELECT count(*) FROM sqlite_schema") &&
                                  (sqlite3_errcode(connection_) == SQLITE_CANTOPEN || sqlite3_errcode(connection_) == SQLITE_READONLY))) {
            sqlite3_close(std::exchange(connection_, nullptr));
            code = sqlite3_open_v2(as_it_stands(path).c_str(), &connection_, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, nullptr);
        }
        if (code != SQLITE_OK) return give_up("cannot be opened", "choose a path that can be written to");
        if (auto known = look(); !known) return known;
        if (prepare("SELECT median, minimum, spread, samples, failure FROM measurement WHERE key = ?1", &select_) != SQLITE_OK)
            return give_up("cannot be read", "move it away and measure anew");
        // A file that can only be read has no use for it.
        if (sqlite3_db_readonly(connection_, "main") == 0)
            (void)prepare("INSERT OR REPLACE INTO measurement (key, median, minimum, spread, samples, failure, label, place) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
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
        if (sqlite3_step(select_) == SQLITE_ROW) found = measurement_at(select_, 0);
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
            whole = prepare("SELECT median, minimum, spread, samples, failure, key, label, place FROM measurement ORDER BY key", &all) == SQLITE_OK;
            int code = SQLITE_DONE;
            while (whole && (code = sqlite3_step(all)) == SQLITE_ROW) {
                const auto key = key_at(all, 5);
                if (!key) continue;
                for (; next != unsaved_.end() && next->first < *key; ++next) use(static_cast<const cost_record&>(next->second));
                if (next != unsaved_.end() && next->first == *key) continue;
                use(static_cast<const cost_record&>(cost_record{*key, measurement_at(all, 0), text_at(all, 6), text_at(all, 7)}));
            }
            whole = whole && code == SQLITE_DONE;
            sqlite3_finalize(all);
        }
        for (; next != unsaved_.end(); ++next) use(static_cast<const cost_record&>(next->second));
        return whole;
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
        return {"the cost database '" + path_ + "' does not take " + std::to_string(unsaved_.size()) + " measurements (" + why +
                "); they are kept in memory until the end of this run, so make room or choose another file"};
    }
    [[nodiscard]] std::string reason() const { return sqlite3_errmsg(connection_); }
    outcome<void> give_up(const std::string& what, const std::string& remedy) {
        const std::string why = connection_ == nullptr ? std::string("out of memory") : reason();
        close();
        return error{"the cost database '" + path_ + "' " + what + " (" + why + "); " + remedy};
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

    int run(const char* sql) { return sqlite3_exec(connection_, sql, nullptr, nullptr, nullptr); }
    int prepare(const char* sql, sqlite3_stmt** statement) { return sqlite3_prepare_v2(connection_, sql, -1, statement, nullptr); }

    /// The value of a pragma or a count; nothing where it cannot be had.
    std::optional<std::int64_t> number(const char* sql) {
        sqlite3_stmt* statement = nullptr;
        std::optional<std::int64_t> value;
        if (prepare(sql, &statement) == SQLITE_OK && sqlite3_step(statement) == SQLITE_ROW) value = sqlite3_column_int64(statement, 0);
        sqlite3_finalize(statement);
        return value;
    }

    /// Looks whose file this is, and makes the tables in an empty one.
    outcome<void> look() {
        const char* const damaged = "is damaged or no database";
        const char* const remedy = "move it away and measure anew";
        // The tables first: another process may make them now, and where there are some it has said whose they are.
        const auto tables = number("SELECT count(*) FROM sqlite_schema");
        const auto owner = number("PRAGMA application_id"), version = number("PRAGMA user_version");
        if (!owner || !version || !tables) return give_up(damaged, remedy);
        if (*tables == 0) {
            // Another process may be doing the same. Where readers and writers cannot work side by side, they take turns.
            (void)run("PRAGMA journal_mode = WAL");
            const bool made = run("BEGIN IMMEDIATE") == SQLITE_OK &&
                              run("CREATE TABLE IF NOT EXISTS measurement (key BLOB PRIMARY KEY, median REAL NOT NULL, minimum REAL NOT NULL, "
                                  "spread REAL NOT NULL, samples INTEGER NOT NULL, failure TEXT NOT NULL, label TEXT NOT NULL, place TEXT NOT NULL) WITHOUT ROWID") == SQLITE_OK &&
                              run(("PRAGMA application_id = " + std::to_string(application)).c_str()) == SQLITE_OK &&
                              run(("PRAGMA user_version = " + std::to_string(schema)).c_str()) == SQLITE_OK && run("COMMIT") == SQLITE_OK;
            if (!made) return give_up("cannot be set up", "choose a path that can be written to");
        } else if (*owner != application) {
            return foreign("belongs to another program", "choose another file");
        } else if (*version != schema) {
            return foreign("has tables of version " + std::to_string(*version) + " where this build knows version " + std::to_string(schema), "choose another file");
        }
        // A commit then costs no wait for the disk; a crash of the machine may lose the last ones, never the file.
        (void)run("PRAGMA synchronous = NORMAL");
        return {};
    }
    outcome<void> foreign(const std::string& what, const std::string& remedy) {
        close();
        return error{"the cost database '" + path_ + "' " + what + "; " + remedy};
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
    static measurement measurement_at(sqlite3_stmt* row, int first) {
        return {sqlite3_column_double(row, first), sqlite3_column_double(row, first + 1), sqlite3_column_double(row, first + 2),
                static_cast<std::uint32_t>(sqlite3_column_int64(row, first + 3)), text_at(row, first + 4)};
    }
    int insert(const cost_record& r) {
        const auto bytes = bytes_of(r.key);
        const auto text = [&](int column, const std::string& t) { sqlite3_bind_text(insert_, column, t.c_str(), static_cast<int>(t.size()), SQLITE_TRANSIENT); };
        sqlite3_bind_blob(insert_, 1, bytes.data(), static_cast<int>(bytes.size()), SQLITE_TRANSIENT);
        sqlite3_bind_double(insert_, 2, r.cost.median);
        sqlite3_bind_double(insert_, 3, r.cost.minimum);
        sqlite3_bind_double(insert_, 4, r.cost.spread);
        sqlite3_bind_int64(insert_, 5, r.cost.samples);
        text(6, r.cost.failure);
        text(7, r.label);
        text(8, r.place);
        const int code = sqlite3_step(insert_);
        sqlite3_reset(insert_);
        return code;
    }

    std::string path_;
    sqlite3* connection_ = nullptr;
    sqlite3_stmt* select_ = nullptr;
    sqlite3_stmt* insert_ = nullptr;
    std::map<digest, cost_record> unsaved_;  // what the file does not have
};

}  // namespace inlay

#endif
