// Copies of a run, its texts and bytes.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include "run_parts.hpp"
#include "store/state_json.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace jimbo {
namespace {

nb::bytes saved(const RunState& run) {
    const std::string bytes = save_run(run);
    return nb::bytes(bytes.data(), bytes.size());
}

RunState loaded(const nb::bytes& bytes) { return load_run({bytes.c_str(), bytes.size()}); }

bool equal(const RunState& run, nb::handle other) {
    if (!nb::isinstance<RunState>(other)) return false;
    return state_to_json(run).dump() == state_to_json(nb::cast<const RunState&>(other)).dump();
}

}  // namespace

void bind_storage(nb::class_<RunState>& run) {
    run.def(
           "clone", [](const RunState& r) { return RunState(r); }, "An independent copy.")
        .def("__copy__", [](const RunState& r) { return RunState(r); })
        .def(
            "__deepcopy__", [](const RunState& r, nb::handle) { return RunState(r); }, "memo"_a)
        .def("__hash__",
             [](const RunState&) -> std::size_t {
                 throw nb::type_error("a run has no hash, since it changes: take that of run.save()");
             })
        .def("__eq__", &equal, nb::arg("other").none(), "Whether the whole state is the same, hidden things included.")
        .def(
            "to_json", [](const RunState& r) { return state_to_json(r).dump(); }, "The whole state as JSON text.")
        .def_static(
            "from_json", [](std::string_view text) { return state_from_json(Json::parse(text)); }, "text"_a,
            "The run that a JSON text describes; ValueError names the field that is wrong.")
        .def("save", &saved, "The run as bytes, which this version of Jimbo can load.")
        .def_static("load", &loaded, "data"_a, "The run of saved bytes.")
        .def("__getstate__", &saved)
        .def("__setstate__", [](RunState& self, const nb::bytes& bytes) { new (&self) RunState(loaded(bytes)); });
}

}  // namespace jimbo
