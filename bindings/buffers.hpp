// Arrays that Python owns and the engine reads or writes in place.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <nanobind/nanobind.h>

namespace jimbo {

inline void require(bool holds, const char* sentence) {
    if (!holds) throw std::invalid_argument(sentence);
}

// One element of an array as Python describes it.
struct ItemKind {
    std::string_view formats;  // the letters of the buffer protocol that fit; "T" for a structure
    std::size_t size = 0;
    std::string_view name;  // for people: "int32"
    std::size_t alignment = 1;
};

// Holds an array: it stays where it is, and alive, as long as this does.
class Buffer {
public:
    // A C-contiguous array of this kind and shape; otherwise ValueError with a sentence about `name`.
    Buffer(nanobind::handle array, std::string_view name, const ItemKind& kind, const std::vector<int>& shape,
           bool writable);

    template <typename T>
    T* as() const {
        return static_cast<T*>(view_->buf);
    }

private:
    struct Release {
        void operator()(Py_buffer* view) const {
            PyBuffer_Release(view);
            delete view;
        }
    };
    std::unique_ptr<Py_buffer, Release> view_;
};

}  // namespace jimbo
