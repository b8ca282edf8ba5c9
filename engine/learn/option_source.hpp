// Decisions that are larger than actions: a source lists what can be decided in a row of a batch and plays everything
// that lies between two decisions. learn knows no such source; engine/campaign has one.
#pragma once

#include "learn/episode.hpp"

namespace jimbo {

class OptionSource {
public:
    OptionSource() = default;
    virtual ~OptionSource() = default;
    OptionSource(const OptionSource&) = delete;
    OptionSource& operator=(const OptionSource&) = delete;

    virtual int width() const = 0;  // most options of a row
    // Comes first. `parts`: threads that may call at the same time, each for other rows and with its own number.
    virtual void resize(int rows, int parts) = 0;

    // An episode has begun: plays to its first decision, or to its end where there is none.
    virtual void open(int row, Episode& episode, const EpisodeRules& rules, int part) = 0;
    // An episode was put where it stands, at a decision or over.
    virtual void resume(int row, const Episode& episode, const EpisodeRules& rules, int part) = 0;
    // Lists what can be decided now, and describes it; nothing where the episode is over.
    virtual void list(int row, const Episode& episode, int part) = 0;
    virtual int count(int row) const = 0;
    // Takes a listed option as one step and plays to the next decision or the end.
    virtual StepReport take(int row, Episode& episode, int option, const EpisodeRules& rules, int part) = 0;
    // Describes how an episode ended that is replaced in this step.
    virtual void write_final(int row, const Episode& episode, int part) = 0;
};

}  // namespace jimbo
