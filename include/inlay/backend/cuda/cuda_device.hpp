// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CUDA_CUDA_DEVICE_HPP
#define INLAY_BACKEND_CUDA_CUDA_DEVICE_HPP

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>  // which one records
#include <utility>

#include <inlay/backend/cuda/cuda_driver.hpp>
#include <inlay/codegen/kernel/device_memory.hpp>
#include <inlay/codegen/kernel/kernel.hpp>
#include <inlay/codegen/kernel/work_queue.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/core/shared_handle.hpp>
#include <inlay/graph/tensor.hpp>

namespace inlay::detail {

/// Work of a device that NVIDIA's driver has recorded as a graph. Move-only.
class cuda_graph {
public:
    cuda_graph(const cuda_driver& driver, void* executable, void* stream) : driver_(driver), executable_(executable), stream_(stream) {}
    cuda_graph(cuda_graph&& other) noexcept
        : driver_(other.driver_), executable_(std::exchange(other.executable_, nullptr)), stream_(other.stream_) {}
    cuda_graph& operator=(cuda_graph&&) = delete;
    ~cuda_graph() {
        if (executable_ != nullptr) (void)driver_.destroy_executable(executable_);
    }

    /// Puts the work into the device's stream.
    [[nodiscard]] bool start() const { return driver_.launch_graph(executable_, stream_) == 0; }

private:
    cuda_driver driver_;
    void* executable_;
    void* stream_;
};

/// The first CUDA device of this machine, with the one stream on which all work of this process goes in order.
class cuda_device {
public:
    /// The device, opened once for the process. The error says why there is none.
    [[nodiscard]] static const outcome<cuda_device>& here() {
        static const outcome<cuda_device> opened = open("libcuda.so.1");
        return opened;
    }
    /// That of a driver's library.
    [[nodiscard]] static outcome<cuda_device> open(const char* library) {
        const auto none = [](const std::string& why) { return error{"there is no CUDA device here: " + why}; };
        auto driver = cuda_driver::open(library);
        if (!driver) return none(driver.failure().message);
        cuda_device made;
        made.driver_ = *driver;
        const cuda_driver& d = made.driver_;
        if (const int wrong = d.init(0); wrong != 0) return none("NVIDIA's driver does not start: " + d.said(wrong));
        int count = 0, device = 0, major = 0, minor = 0;
        if (const int wrong = d.device_count(&count); wrong != 0 || count == 0)
            return none(wrong != 0 ? d.said(wrong) : "NVIDIA's driver knows none");
        char name[256] = "";
        for (const int wrong : {d.device(&device, 0), d.device_name(name, sizeof name - 1, device),
                                d.device_attribute(&major, cuda_driver::capability_major, device),
                                d.device_attribute(&minor, cuda_driver::capability_minor, device), d.retain_context(&made.context_, device),
                                d.use_context(made.context_), d.create_stream(&made.stream_, 1)})
            if (wrong != 0) return none("it cannot be used: " + d.said(wrong));
        made.name_ = name;
        made.arch_ = "sm_" + std::to_string(major) + std::to_string(minor);
        return made;
    }

    [[nodiscard]] const cuda_driver& driver() const { return driver_; }
    [[nodiscard]] const std::string& name() const { return name_; }
    [[nodiscard]] const std::string& arch() const { return arch_; }  // `sm_80`
    /// Where the thread that calls puts work: the stream, or while it records one beside that.
    [[nodiscard]] void* stream() const {
        return recorder_->thread.load(std::memory_order_relaxed) == std::this_thread::get_id() ? recorder_->stream : stream_;
    }

    /// Has the thread that calls use the device. Whether it can.
    [[nodiscard]] bool use() const { return driver_.use_context(context_) == 0; }
    /// Waits until all that was asked for has ended. Whether it did without failing.
    [[nodiscard]] bool wait() const { return driver_.wait_for_stream(stream_) == 0; }

    /// Has what this thread starts from now on recorded, on a stream beside that of the others, and not done; one thread after the other
    /// does. Whether it can be.
    [[nodiscard]] bool begin_recording() const {
        recorder_->guard.lock();
        if (use() && driver_.create_stream(&recorder_->stream, 1) == 0) {
            if (driver_.begin_capture(recorder_->stream, cuda_driver::own_thread_alone) == 0) {
                recorder_->thread = std::this_thread::get_id();
                return true;
            }
            (void)driver_.destroy_stream(recorder_->stream);
        }
        recorder_->guard.unlock();
        return false;
    }
    /// What was recorded since; nothing where the driver records no such work.
    [[nodiscard]] recorded_work end_recording() const {
        void *graph = nullptr, *executable = nullptr;
        int wrong = driver_.end_capture(recorder_->stream, &graph);
        recorder_->thread = std::thread::id();
        (void)driver_.destroy_stream(recorder_->stream);
        recorder_->guard.unlock();
        if (graph == nullptr) return {};
        if (wrong == 0) wrong = driver_.make_executable(&executable, graph, 0);
        (void)driver_.destroy_graph(graph);
        return wrong == 0 ? recorded_work(cuda_graph(driver_, executable, stream_)) : recorded_work();
    }

    /// Memory of the device `here`. The error says that there is not so much.
    [[nodiscard]] static outcome<device_block> allocate(std::size_t bytes) {
        const outcome<cuda_device>& d = here();
        if (!d) return d.failure();
        cuda_driver::address at = 0;
        const int wrong = d->use() ? d->driver_.allocate(&at, bytes == 0 ? 1 : bytes) : 1;
        if (wrong != 0)
            return error{"the CUDA device " + d->name_ + " has no memory for " + std::to_string(bytes) + " bytes (" +
                         d->driver_.said(wrong) + "); partition a smaller model"};
        return device_block(reinterpret_cast<void*>(static_cast<std::uintptr_t>(at)), bytes, [](void* address, std::size_t) {
            const cuda_device& device = *here();
            if (device.use()) (void)device.driver_.free(reinterpret_cast<std::uintptr_t>(address));
        });
    }

private:
    struct recorder : owner_count {
        std::mutex guard;
        std::atomic<std::thread::id> thread;
        void* stream = nullptr;

        static void release(recorder* r) { delete r; }
    };

    cuda_driver driver_;
    shared_handle<recorder> recorder_{new recorder};
    std::string name_, arch_;
    void* context_ = nullptr;
    void* stream_ = nullptr;
};

/// What kernels of the device `here` have in common: `K::start` puts their work into its stream, and a run waits for that.
template <class K>
struct started_on_cuda {
    [[nodiscard]] bool run(const run_arguments& a) const { return static_cast<const K&>(*this).start(a) && cuda_device::here()->wait(); }
    [[nodiscard]] work_queue queue() const { return work_queue(*cuda_device::here()); }
};

/// One tensor between the CPU's main memory and the device's, or within the latter. The driver takes what it copies to the device out of
/// pageable memory before it returns, and returns from a copy into such memory when it is there ("API synchronization behavior" in NVIDIA's
/// "CUDA Driver API").
struct cuda_copy : started_on_cuda<cuda_copy> {
    bool from_device, to_device;
    std::size_t bytes;

    cuda_copy(bool is_from_device, bool is_to_device, std::size_t count)
        : from_device(is_from_device), to_device(is_to_device), bytes(count) {}

    [[nodiscard]] bool start(const void* from, void* to) const {
        if (bytes == 0) return true;
        const cuda_device& d = *cuda_device::here();
        if (!d.use()) return false;
        const auto source = reinterpret_cast<std::uintptr_t>(from), target = reinterpret_cast<std::uintptr_t>(to);
        const int wrong = from_device && to_device ? d.driver().copy_within(target, source, bytes, d.stream())
                          : to_device              ? d.driver().copy_in(target, from, bytes, d.stream())
                                                   : d.driver().copy_out(to, source, bytes, d.stream());
        return wrong == 0;
    }
    [[nodiscard]] bool start(const run_arguments& a) const { return start(a.inputs[0], a.results[0]); }
};

/// A constant in memory of the device `here`. The error says that there is not so much, or that the copy failed.
[[nodiscard]] inline outcome<device_block> cuda_constant(const tensor& value) {
    auto block = cuda_device::allocate(value.bytes());
    if (block && !(cuda_copy(false, true, value.bytes()).start(value.data(), block->address()) && cuda_device::here()->wait()))
        return error{"the CUDA device " + cuda_device::here()->name() + " does not take a constant of " + std::to_string(value.bytes()) +
                     " bytes"};
    return block;
}

}  // namespace inlay::detail

#endif
