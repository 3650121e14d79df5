// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CUDA_NVRTC_HPP
#define INLAY_BACKEND_CUDA_NVRTC_HPP

#include <cstddef>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

#include <dlfcn.h>
#include <unistd.h>

#include <inlay/backend/cuda/found_functions.hpp>
#include <inlay/codegen/compile/system_compiler.hpp>
#include <inlay/core/outcome.hpp>

namespace inlay::detail {

/// NVIDIA's compiler as a library, for machines with its driver and without its toolkit. Its functions are declared by hand and looked up,
/// as the driver's are; all give 0, or a number of what failed. It compiles within this process: nobody stops it when it takes long.
class nvrtc {
public:
    int (*version)(int* major, int* minor) = nullptr;
    const char* (*error_text)(int error) = nullptr;
    int (*create_program)(void** made, const char* source, const char* name, int headers, const char* const* texts,
                          const char* const* names) = nullptr;
    int (*destroy_program)(void** program) = nullptr;
    int (*compile_program)(void* program, int count, const char* const* options) = nullptr;
    int (*log_size)(void* program, std::size_t* bytes) = nullptr;
    int (*log)(void* program, char* text) = nullptr;
    int (*cubin_size)(void* program, std::size_t* bytes) = nullptr;
    int (*cubin)(void* program, char* code) = nullptr;

    /// That of this machine, looked for once. Error: there is none, or it is too old.
    [[nodiscard]] static const outcome<nvrtc>& here() {
        constexpr const char* names[] = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"};
        static const outcome<nvrtc> opened = open(names);
        return opened;
    }
    /// The first that is there of some names. Error: as above.
    [[nodiscard]] static outcome<nvrtc> open(std::span<const char* const> names) {
        auto found = found_functions::open("NVIDIA's run-time compiler", names);
        if (!found) return found.failure();
        nvrtc made;
        found->find(made.version, "nvrtcVersion");
        found->find(made.error_text, "nvrtcGetErrorString");
        found->find(made.create_program, "nvrtcCreateProgram");
        found->find(made.destroy_program, "nvrtcDestroyProgram");
        found->find(made.compile_program, "nvrtcCompileProgram");
        found->find(made.log_size, "nvrtcGetProgramLogSize");
        found->find(made.log, "nvrtcGetProgramLog");
        found->find(made.cubin_size, "nvrtcGetCUBINSize");
        found->find(made.cubin, "nvrtcGetCUBIN");
        if (auto whole = found->check(); !whole) return whole.failure();
        int major = 0, minor = 0;
        if (const int wrong = made.version(&major, &minor); wrong != 0) return error{made.said("does not tell its version", wrong)};
        made.release_ = "NVRTC " + std::to_string(major) + "." + std::to_string(minor);
        made.headers_ = made.folders_of_headers();
        return made;
    }

    /// `NVRTC 13.0`, for keys.
    [[nodiscard]] const std::string& release() const { return release_; }

    /// CUDA C++ as the code of one architecture, `sm_80`. Error: the first of what it complains of, or that it gives no code.
    [[nodiscard]] outcome<std::string> compile(const std::string& source, const std::string& arch) const {
        // Their functions are built in; what else kernels take of them is not.
        constexpr const char* names[] = {"math.h", "stdint.h"};
        constexpr const char* texts[] = {
            "#define INFINITY __int_as_float(0x7f800000)\n#define NAN __int_as_float(0x7fffffff)\n",
            "typedef signed char int8_t;\ntypedef short int16_t;\ntypedef int int32_t;\ntypedef long long int64_t;\n"
            "typedef unsigned char uint8_t;\ntypedef unsigned short uint16_t;\ntypedef unsigned uint32_t;\ntypedef unsigned long long "
            "uint64_t;\n"
            "#define INT32_MAX 2147483647\n#define INT32_MIN (-INT32_MAX - 1)\n"
            "#define INT64_MAX 9223372036854775807ll\n#define INT64_MIN (-INT64_MAX - 1)\n"
            "#define INT64_C(n) n##ll\n#define UINT64_C(n) n##ull\n"};
        owned program{*this};
        if (const int wrong = create_program(&program.made, source.c_str(), "kernels.cu", 2, texts, names); wrong != 0)
            return error{said("takes no text", wrong)};
        std::vector<std::string> words{"--gpu-architecture=" + arch, "--std=c++17", "--disable-warnings"};
        for (const std::string& folder : headers_) words.push_back("--include-path=" + folder);
        std::vector<const char*> options;
        for (const std::string& word : words) options.push_back(word.c_str());
        if (const int wrong = compile_program(program.made, static_cast<int>(options.size()), options.data()); wrong != 0)
            return error{said("fails", wrong) + ": " + first_complaint(bytes_of(program.made, log_size, log).c_str(), {})};
        std::string code = bytes_of(program.made, cubin_size, cubin);
        if (code.empty()) return error{"NVIDIA's run-time compiler, " + release_ + ", gave no code for " + arch + ", and does not say why"};
        return code;
    }

private:
    struct owned {
        const nvrtc& by;
        void* made = nullptr;

        ~owned() {
            if (made != nullptr) (void)by.destroy_program(&made);
        }
    };

    [[nodiscard]] std::string said(const char* what, int wrong) const {
        const char* const text = error_text(wrong);
        return "NVIDIA's run-time compiler " + std::string(what) + " (" + (text != nullptr ? text : "error " + std::to_string(wrong)) + ")";
    }

    /// What two of its functions tell of; nothing where the size that it states is none.
    [[nodiscard]] static std::string bytes_of(void* program, int (*size)(void*, std::size_t*), int (*bytes)(void*, char*)) {
        constexpr std::size_t most = std::size_t{1} << 30;
        std::size_t count = 0;
        if (size(program, &count) != 0 || count == 0 || count > most) return {};
        std::string made(count, '\0');
        if (bytes(program, made.data()) != 0) return {};
        return made;
    }

    /// Where the headers of half precision may stand: beside the library, and where variables name a toolkit.
    [[nodiscard]] std::vector<std::string> folders_of_headers() const {
        std::vector<std::string> found;
        const auto add = [&](const std::string& folder) {
            if (::access((folder + "/cuda_fp16.h").c_str(), R_OK) == 0) found.push_back(folder);
        };
        if (Dl_info where; dladdr(reinterpret_cast<const void*>(version), &where) != 0 && where.dli_fname != nullptr) {
            const std::string file = where.dli_fname;
            const std::size_t end = file.find_last_of('/');
            const std::string folder = end == std::string::npos ? "." : file.substr(0, end);
            for (const char* near : {"/../include", "/../../include", "/../../cuda_runtime/include"}) add(folder + near);
        }
        for (const char* const variable : {"CUDA_HOME", "CUDA_PATH"})
            if (const char* const folder = std::getenv(variable); folder != nullptr && *folder != '\0')
                add(std::string(folder) + "/include");
        return found;
    }

    std::string release_;
    std::vector<std::string> headers_;
};

}  // namespace inlay::detail

#endif
