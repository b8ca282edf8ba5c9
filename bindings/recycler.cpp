// Memory for observations that is used again as soon as nobody holds it.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "buffers.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace jimbo {
namespace {

using Parts = nb::typed<nb::list, nb::any>;
using Arrays = nb::typed<nb::dict, nb::str, nb::any>;

// Rows of bytes, or of small 16-bit numbers that become bytes, and where they go in a block.
class Part {
public:
    Part(nb::handle array, std::size_t offset, std::size_t stride) : offset_(offset), stride_(stride) {
        auto view = std::make_unique<Py_buffer>();
        if (PyObject_GetBuffer(array.ptr(), view.get(), PyBUF_STRIDED_RO | PyBUF_FORMAT) != 0) throw nb::python_error();
        view_.reset(view.release());
        require(view_->ndim == 2 && (view_->itemsize == 1 || view_->itemsize == 2) &&
                    view_->strides[1] == view_->itemsize && view_->shape[1] <= static_cast<Py_ssize_t>(stride),
                "a part is a table of uint8 or int16 whose rows fit into the block");
    }

    std::ptrdiff_t rows() const { return view_->shape[0]; }
    std::size_t end(std::ptrdiff_t rows) const { return offset_ + stride_ * static_cast<std::size_t>(rows); }

    void copy(std::ptrdiff_t first, std::ptrdiff_t rows, std::uint8_t* block) const {
        const auto width = static_cast<std::size_t>(view_->shape[1]);
        // A single row stands for all.
        const std::ptrdiff_t step = view_->shape[0] == 1 ? 0 : view_->strides[0];
        const auto* from = static_cast<const std::uint8_t*>(view_->buf) + first * step;
        std::uint8_t* to = block + offset_;
        if (view_->itemsize == 1 && stride_ == width && (step == view_->shape[1] || rows == 1)) {
            std::memcpy(to, from, width * static_cast<std::size_t>(rows));
            return;
        }
        for (std::ptrdiff_t row = 0; row < rows; ++row, from += step, to += stride_) {
            if (view_->itemsize == 1) {
                std::memcpy(to, from, width);
            } else {
                const auto* words = reinterpret_cast<const std::int16_t*>(from);
                std::transform(words, words + width, to, [](std::int16_t x) { return static_cast<std::uint8_t>(x); });
            }
        }
    }

private:
    struct Release {
        void operator()(Py_buffer* view) const {
            PyBuffer_Release(view);
            delete view;
        }
    };
    std::unique_ptr<Py_buffer, Release> view_;
    std::size_t offset_;
    std::size_t stride_;
};

// A block of bytes and the arrays that show it.
struct Slot {
    nb::object block;
    nb::dict arrays;
    std::vector<PyObject*> values;  // of the dict, which keeps them alive
    Py_ssize_t block_count = 0;     // references to the block when only its arrays and this slot hold it
    std::uint8_t* bytes = nullptr;

    // An array that somebody holds counts more than once; so does the block, when somebody holds a view of a view.
    bool is_free() const {
        return std::all_of(values.begin(), values.end(), [](PyObject* value) { return Py_REFCNT(value) == 1; }) &&
               Py_REFCNT(block.ptr()) == block_count;
    }
};

class Recycler {
public:
    Recycler(const Parts& parts, int rows, nb::object make, int most)
        : rows_(rows), make_(std::move(make)), most_(static_cast<std::size_t>(most)) {
        require(rows >= 1 && most >= 1, "a recycler has at least one row and one block");
        for (nb::handle part : parts) {
            const auto fields = nb::cast<nb::tuple>(part);
            parts_.emplace_back(fields[0], nb::cast<std::size_t>(fields[1]), nb::cast<std::size_t>(fields[2]));
            require(parts_.back().rows() == 1 || parts_.back().rows() >= rows, "a part has too few rows");
        }
    }

    Recycler(const Recycler&) = delete;
    Recycler& operator=(const Recycler&) = delete;

    Arrays take(int first) {
        for (const Part& part : parts_) {
            require(first >= 0 && (part.rows() == 1 || first + rows_ <= part.rows()), "there is no such row");
        }
        Slot& slot = free_slot();
        for (const Part& part : parts_) part.copy(first, rows_, slot.bytes);
        return nb::steal<Arrays>(PyDict_Copy(slot.arrays.ptr()));
    }

    std::string text() const {
        return "<Recycler of " + std::to_string(slots_.size()) + " blocks with rows: " + std::to_string(rows_) + ">";
    }

private:
    Slot& free_slot() {
        for (std::size_t tried = 0; tried < slots_.size(); ++tried) {
            Slot& slot = slots_[(next_ + tried) % slots_.size()];
            if (slot.is_free()) {
                next_ = (next_ + tried + 1) % slots_.size();
                return slot;
            }
        }
        Slot fresh = made();
        if (slots_.size() < most_) {
            slots_.push_back(std::move(fresh));
            next_ = 0;
            return slots_.back();
        }
        Slot& oldest = slots_[next_];  // its holders keep what they have
        oldest = std::move(fresh);
        next_ = (next_ + 1) % slots_.size();
        return oldest;
    }

    Slot made() const {
        Slot slot;
        {
            const auto pair = nb::cast<nb::tuple>(make_());
            slot.block = pair[0];
            slot.arrays = nb::cast<nb::dict>(pair[1]);
        }
        for (auto [name, array] : slot.arrays) slot.values.push_back(array.ptr());
        Py_buffer view;
        if (PyObject_GetBuffer(slot.block.ptr(), &view, PyBUF_CONTIG) != 0) throw nb::python_error();
        slot.bytes = static_cast<std::uint8_t*>(view.buf);
        const auto size = static_cast<std::size_t>(view.len);
        PyBuffer_Release(&view);
        for (const Part& part : parts_) require(part.end(rows_) <= size, "a part lies outside the block");
        slot.block_count = Py_REFCNT(slot.block.ptr());
        return slot;
    }

    std::vector<Part> parts_;
    int rows_;
    nb::object make_;
    std::size_t most_;
    std::vector<Slot> slots_;
    std::size_t next_ = 0;  // where to look first: what was given out longest ago
};

}  // namespace

void bind_recycler(nb::module_& m) {
    nb::class_<Recycler>(m, "Recycler",
                         "Copies rows into blocks of memory with arrays that show them, and uses a block again once "
                         "nobody holds any of its arrays or a view of one.")
        .def(nb::init<const Parts&, int, nb::object, int>(), "parts"_a, "rows"_a, "make"_a, "most"_a,
             "Parts: a table, where its rows go in the block, and how far apart. `make` gives a block, which is an "
             "array "
             "that owns its memory, and a dict of views of it. At most so many blocks are kept.")
        .def("take", &Recycler::take, "first"_a = 0, "The arrays, holding the rows of all parts from `first` on.")
        .def("__repr__", &Recycler::text);
}

}  // namespace jimbo
