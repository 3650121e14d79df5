// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include "watched_library.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <iostream>
#include <memory>
#include <new>
#include <string_view>

#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <inlay/backend/plugin/backend_abi.h>
#include <inlay/backend/plugin/abi_values.hpp>
#include <inlay/backend/plugin/checked_table.hpp>
#include <inlay/codegen/compile/run_command.hpp>
#include <inlay/codegen/compile/shared_library.hpp>
#include <inlay/core/guarded.hpp>
#include <inlay/core/quoted_text.hpp>

#include "library_output.hpp"

namespace tool {

using namespace inlay;

/// A kernel whose check has a key, as the page has it. Texts that are too long are cut.
struct kernel_slot {
    char key[80]{}, label[200]{}, place[200]{}, ended[400]{};
    std::atomic<int> inside{0};  // threads that run it
};

struct watched_kernel;

/// What of a library the page has.
struct library_slot {
    char kind[200]{}, ended[400]{};  // `ended`: how it ended an earlier process; empty: it did not
    std::atomic<int> inside{0};      // threads
    std::atomic<double> since{0};    // when the last one went in, in `steady_seconds`
    std::atomic<const char*> doing{""};
    std::atomic<watched_kernel*> emitted{nullptr};  // last, by the process at work
};

namespace {

void keep_text(char* to, std::size_t size, std::string_view text) {
    const std::size_t kept = std::min(size - 1, text.size());
    std::memcpy(to, text.data(), kept);
    to[kept] = '\0';
}

}  // namespace

struct library_page {
    static constexpr std::size_t most = 64, most_kernels = 1024;

    library_slot slots[most];
    kernel_slot kernels[most_kernels];

    /// The place of a kernel's check, by its key; null where all are taken.
    kernel_slot* kernel_of(std::string_view key) {
        for (kernel_slot& k : kernels) {
            if (k.key[0] == '\0') keep_text(k.key, sizeof k.key, key);
            if (k.key == key) return &k;
        }
        return nullptr;
    }
    /// Notes how the process ended for the kernel that ran. Where several ran at one time, it is not known which did it.
    void note_end(std::string_view why) {
        kernel_slot* running = nullptr;
        int count = 0;
        for (kernel_slot& k : kernels) {
            if (k.inside.exchange(0) == 0) continue;
            running = &k;
            ++count;
        }
        if (count == 1) keep_text(running->ended, sizeof running->ended, why);
    }

    /// The slot of a back end; null where all are taken.
    library_slot* slot_of(std::string_view kind) {
        for (library_slot& s : slots) {
            if (s.kind[0] == '\0') keep_text(s.kind, sizeof s.kind, kind);
            if (s.kind == kind) return &s;
        }
        return nullptr;
    }
    library_slot* entered() {
        for (library_slot& s : slots)
            if (s.inside.load() > 0) return &s;
        return nullptr;
    }
};

struct watched_table;

/// A kernel of a library, and the place of its check on the page.
struct watched_kernel {
    const watched_table* of;
    inlay_kernel inner;
    std::atomic<kernel_slot*> check{nullptr};

    watched_kernel(const watched_table& table, const inlay_kernel& kernel) : of(&table), inner(kernel) {}
};

/// A library's table with functions that note each call. The table comes first, so that its address is that of the rest.
struct watched_table {
    inlay_backend table{};
    const inlay_backend* inner = nullptr;
    library_slot* slot = nullptr;
};

namespace {

constexpr double longest_call = 60;  // seconds, after which a library counts as one that hangs

/// Waits for the end of the child, passes signals on to it, and ends one that hangs inside of a library.
int end_of_child(pid_t child, library_page& page, const sigset_t& heard, bool& hangs) {
    int status = 0;
    for (;;) {
        const pid_t ended = ::waitpid(child, &status, WNOHANG);
        if (ended == child || (ended < 0 && errno != EINTR)) return status;
        siginfo_t what{};
        const timespec patience{1, 0};
        const int signal = ::sigtimedwait(&heard, &what, &patience);
        // A key reaches the child too.
        if (signal > 0 && signal != SIGCHLD && what.si_code <= 0) ::kill(child, signal);
        for (const library_slot& s : page.slots)
            if (s.inside.load() > 0 && inlay::detail::steady_seconds() - s.since.load() > longest_call) {
                hangs = true;
                ::kill(child, SIGKILL);
                while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {}
                return status;
            }
    }
}

/// Ends this process as the child ended.
int end_alike(int status) {
    if (!WIFSIGNALED(status)) return WEXITSTATUS(status);
    const rlimit no_core{0, 0};
    (void)::setrlimit(RLIMIT_CORE, &no_core);
    std::signal(WTERMSIG(status), SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    ::raise(WTERMSIG(status));
    return 128 + WTERMSIG(status);
}

std::string words_of_end(int status, bool hangs, const char* doing) {
    if (hangs) return "it had not answered in " + std::to_string(static_cast<int>(longest_call)) + " seconds while it " + doing;
    if (WIFSIGNALED(status))
        return "it crashed while it " + std::string(doing) + ": signal " + std::to_string(WTERMSIG(status)) + " (" +
               ::strsignal(WTERMSIG(status)) + ")";
    return "it ended the process while it " + std::string(doing) + ", with exit status " + std::to_string(WEXITSTATUS(status));
}

bool is_end_from_outside(int status) {
    if (!WIFSIGNALED(status)) return false;
    const int signal = WTERMSIG(status);
    return signal == SIGKILL || signal == SIGTERM || signal == SIGINT || signal == SIGHUP || signal == SIGQUIT;
}

/// Notes that this thread is inside of a library.
class noted_call {
public:
    noted_call(library_slot& slot, const char* doing) : slot_(slot) {
        slot_.doing.store(doing);
        slot_.since.store(inlay::detail::steady_seconds());
        slot_.inside.fetch_add(1);
    }
    noted_call(const noted_call&) = delete;
    noted_call& operator=(const noted_call&) = delete;
    ~noted_call() { slot_.inside.fetch_sub(1); }

private:
    library_call prints_;
    library_slot& slot_;
};

struct watched_instance {
    const watched_table* of;
    void* inner;
};

const watched_instance& as_instance(void* p) { return *static_cast<const watched_instance*>(p); }

/// Calls a function of the library; what it throws becomes a failure with a reason.
template <class Call>
inlay_status noted(const watched_table& of, const char* doing, const inlay_reply& why, Call&& call) {
    if (of.slot->ended[0] != '\0') {
        inlay::detail::say(why, of.slot->ended);
        return INLAY_FAILED;
    }
    const auto said = guarded("it", doing, [&] {
        const noted_call here(*of.slot, doing);
        return call();
    });
    if (said) return *said;
    inlay::detail::say(why, said.failure().message);
    return INLAY_FAILED;
}
template <class Call>
void noted(const watched_table& of, const char* doing, Call&& call) {
    (void)noted(of, doing, inlay_reply{}, [&] {
        call();
        return INLAY_YES;
    });
}

inlay_status open_watched(const inlay_backend* table, const inlay_option_value* values, std::size_t count, void** made, inlay_reply why) {
    const auto& of = *reinterpret_cast<const watched_table*>(table);
    void* inner = nullptr;
    // Its options are read even where it takes no match any more.
    const auto said = guarded("it", "opened an instance", [&] {
        const noted_call here(*of.slot, "opened an instance");
        return of.inner->open(of.inner, values, count, &inner, why);
    });
    if (!said) {
        inlay::detail::say(why, said.failure().message);
        return INLAY_FAILED;
    }
    if (*said == INLAY_YES) *made = new watched_instance{&of, inner};
    return *said;
}
void close_watched(void* self) {
    const std::unique_ptr<const watched_instance> own(static_cast<const watched_instance*>(self));
    noted(*own->of, "closed an instance", [&] { own->of->inner->close(own->inner); });
}
void describe_watched(void* self, inlay_reply version) {
    const watched_instance& own = as_instance(self);
    noted(*own.of, "told its version", [&] { own.of->inner->describe(own.inner, version); });
}
inlay_status usable_watched(void* self, inlay_reply why) {
    const watched_instance& own = as_instance(self);
    // It takes part by name still, and takes nothing.
    if (own.of->slot->ended[0] != '\0') return INLAY_YES;
    return noted(*own.of, "said whether it can run", why, [&] { return own.of->inner->usable(own.inner, why); });
}
inlay_status read_watched(void* self, std::uint32_t composite, const inlay_region* region, const std::uint32_t* captures, std::size_t count,
                          void** made, inlay_reply why) {
    const watched_instance& own = as_instance(self);
    return noted(*own.of, "read a match", why,
                 [&] { return own.of->inner->read(own.inner, composite, region, captures, count, made, why); });
}
void release_watched(void* self, void* plan) {
    const watched_instance& own = as_instance(self);
    noted(*own.of, "released a match", [&] { own.of->inner->release(own.inner, plan); });
}
void formats_watched(void* self, void* plan, void* to, void (*take)(void*, const inlay_borders*)) {
    const watched_instance& own = as_instance(self);
    noted(*own.of, "listed the formats of a match", [&] { own.of->inner->formats(own.inner, plan, to, take); });
}
inlay_status price_watched(void* self, void* plan, const inlay_borders* borders, double* seconds, inlay_reply why) {
    const watched_instance& own = as_instance(self);
    return noted(*own.of, "priced a region", why, [&] { return own.of->inner->price(own.inner, plan, borders, seconds, why); });
}
double lower_bound_watched(void* self, void* plan, const inlay_borders* borders) {
    const watched_instance& own = as_instance(self);
    double least = 0;
    noted(*own.of, "bounded a price", [&] { least = own.of->inner->lower_bound(own.inner, plan, borders); });
    return least;
}
int run_watched(void* state, const inlay_run* how) {
    const auto& own = *static_cast<const watched_kernel*>(state);
    struct noted_run {
        kernel_slot* of;
        explicit noted_run(kernel_slot* k) : of(k) {
            if (of != nullptr) of->inside.fetch_add(1);
        }
        noted_run(const noted_run&) = delete;
        noted_run& operator=(const noted_run&) = delete;
        ~noted_run() {
            if (of != nullptr) of->inside.fetch_sub(1);
        }
    };
    int said = 1;
    noted(*own.of, "ran", [&] {
        const noted_run here(own.check.load());
        said = own.inner.run(own.inner.state, how);
    });
    return said;
}
void release_kernel_watched(void* state) {
    const std::unique_ptr<watched_kernel> own(static_cast<watched_kernel*>(state));
    watched_kernel* last = own.get();
    own->of->slot->emitted.compare_exchange_strong(last, nullptr);
    if (own->inner.release != nullptr) noted(*own->of, "released a kernel", [&] { own->inner.release(own->inner.state); });
}
inlay_status emit_watched(void* self, void* plan, const inlay_borders* borders, inlay_kernel* made, inlay_reply why) {
    const watched_instance& own = as_instance(self);
    const inlay_status said = noted(*own.of, "emitted code", why, [&] { return own.of->inner->emit(own.inner, plan, borders, made, why); });
    if (said != INLAY_YES || made->run == nullptr) return said;
    auto* const kernel = new watched_kernel(*own.of, *made);
    own.of->slot->emitted.store(kernel);
    made->state = kernel;
    made->run = &run_watched;
    made->release = &release_kernel_watched;
    return said;
}
inlay_status emit_c_watched(void* self, void* plan, const inlay_borders* borders, inlay_text name, const inlay_c_code* code,
                            inlay_reply why) {
    const watched_instance& own = as_instance(self);
    return noted(*own.of, "made C", why, [&] { return own.of->inner->emit_c(own.inner, plan, borders, name, code, why); });
}

}  // namespace

std::optional<int> watch_libraries(library_page*& page) {
    page = nullptr;
    void* const memory = ::mmap(nullptr, sizeof(library_page), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return std::nullopt;
    page = new (memory) library_page;
    sigset_t heard, before;
    sigemptyset(&heard);
    for (const int one : {SIGCHLD, SIGINT, SIGTERM, SIGHUP}) sigaddset(&heard, one);
    for (;;) {
        ::sigprocmask(SIG_BLOCK, &heard, &before);
        const pid_t parent = ::getpid(), child = ::fork();
        if (child <= 0) {
            ::sigprocmask(SIG_SETMASK, &before, nullptr);
            if (child < 0) page = nullptr;
            if (child == 0 && (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || ::getppid() != parent)) ::_exit(1);
            return std::nullopt;
        }
        bool hangs = false;
        const int status = end_of_child(child, *page, heard, hangs);
        library_slot* const at_fault = page->entered();
        ::sigprocmask(SIG_SETMASK, &before, nullptr);
        if (at_fault == nullptr || at_fault->ended[0] != '\0' || (!hangs && is_end_from_outside(status))) return end_alike(status);
        const std::string why = words_of_end(status, hangs, at_fault->doing.load());
        keep_text(at_fault->ended, sizeof at_fault->ended, why);
        page->note_end(why);
        for (library_slot& s : page->slots) {
            s.inside.store(0);
            s.emitted.store(nullptr);
        }
        std::cerr << "inlay: back end " << quoted_text(at_fault->kind) << " is left out, and planning goes on without it: " << why
                  << std::endl;
    }
}

void note_kernel(library_page& page, std::string_view kind, const kernel_note& note) {
    library_slot* const of = page.slot_of(kind);
    watched_kernel* const kernel = of == nullptr ? nullptr : of->emitted.load();
    if (kernel == nullptr) return;
    kernel_slot* const to = page.kernel_of(to_string(note.key));
    if (to != nullptr) {
        keep_text(to->label, sizeof to->label, note.label);
        keep_text(to->place, sizeof to->place, note.place);
    }
    kernel->check.store(to);
}

std::vector<kernel_note> ended_kernels(const library_page& page) {
    std::vector<kernel_note> all;
    for (const kernel_slot& k : page.kernels)
        if (k.ended[0] != '\0')
            if (const auto key = read_digest(k.key)) all.push_back({*key, k.label, k.place, k.ended});
    return all;
}

bool is_end_of_process(std::string_view reason) {
    for (const std::string_view words : {"it crashed while it ", "it ended the process while it ", "it had not answered in "})
        if (reason.starts_with(words)) return true;
    return reason.find("its process ") != std::string_view::npos;
}

outcome<loaded_backend> watched_backend(const std::string& file, library_page& page) {
    const auto library = shared_library::open(file, true);
    if (!library) return library.failure();
    const auto entry = library->function<const inlay_backend*()>(INLAY_BACKEND_ENTRY);
    if (entry == nullptr) return error{"it exports no back end"};
    return guarded("the library", "was asked what it is", [&]() -> outcome<loaded_backend> {
        const inlay_backend* const inner = entry();
        const auto sound = check_table(inner);
        if (!sound) return sound.failure();
        struct owner : table_owner {
            watched_table own;
            owner() : table_owner([](table_owner* o) { delete static_cast<owner*>(o); }) {}
        };
        auto* const made = new owner;
        table_handle handle(made);
        watched_table& own = made->own;
        own.inner = inner;
        own.slot = page.slot_of(sound->schema.kind);
        if (own.slot == nullptr) return error{"there are more than " + std::to_string(library_page::most) + " libraries"};
        own.table = *inner;
        own.table.size = sizeof own.table;
        own.table.open = &open_watched;
        own.table.close = &close_watched;
        own.table.describe = &describe_watched;
        own.table.read = &read_watched;
        own.table.release = &release_watched;
        if (inner->usable != nullptr) own.table.usable = &usable_watched;
        if (inner->formats != nullptr) own.table.formats = &formats_watched;
        if (inner->price != nullptr) own.table.price = &price_watched;
        if (inner->lower_bound != nullptr) own.table.lower_bound = &lower_bound_watched;
        if (inner->emit != nullptr) own.table.emit = &emit_watched;
        if (inner->emit_c != nullptr) own.table.emit_c = &emit_c_watched;
        auto checked = check_table(&own.table);
        if (!checked) return checked.failure();
        checked->owner = std::move(handle);
        return loaded_backend::of(*std::move(checked), file);
    });
}

}  // namespace tool
