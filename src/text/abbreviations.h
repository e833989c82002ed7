#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace assay {

// What sentences.cc knows about words with a full stop that ends no sentence.

// Always followed by what they belong to. Sorted, lower case, without the full stop.
inline constexpr std::array<std::string_view, 41> kTitles = {
    "adm",  "brig", "capt", "cf",   "cmdr", "col", "cpl",  "det",   "dr",  "e.g", "fig",
    "fr",   "ft",   "gen",  "gov",  "hon",  "i.e", "insp", "lieut", "lt",  "maj", "messrs",
    "mme",  "mr",   "mrs",  "ms",   "mt",   "op",  "pp",   "prof",  "pte", "pvt", "rep",
    "reps", "rev",  "sen",  "sens", "sgt",  "st",  "supt", "vs"};
// May also end a sentence: they do when a word follows that usually begins one.
inline constexpr std::array<std::string_view, 36> kAbbreviations = {
    "al",  "approx", "apr", "assn", "assoc", "aug",  "ave", "bros", "co",  "corp", "dec", "dept",
    "est", "etc",    "feb", "inc",  "jan",   "jr",   "jul", "jun",  "llc", "ltd",  "mar", "no",
    "nos", "nov",    "oct", "plc",  "sep",   "sept", "sq",  "sr",   "tel", "univ", "vol", "vols"};
inline constexpr std::array<std::string_view, 45> kStarters = {
    "a",       "after",   "all",  "also",  "although", "an",   "and",   "as",        "at",
    "because", "before",  "but",  "by",    "during",   "for",  "he",    "her",       "his",
    "how",     "however", "i",    "if",    "in",       "it",   "its",   "meanwhile", "my",
    "on",      "our",     "she",  "so",    "that",     "the",  "their", "then",      "there",
    "these",   "they",    "this", "those", "we",       "what", "when",  "while",     "you"};

static_assert(std::is_sorted(kTitles.begin(), kTitles.end()));
static_assert(std::is_sorted(kAbbreviations.begin(), kAbbreviations.end()));
static_assert(std::is_sorted(kStarters.begin(), kStarters.end()));

}  // namespace assay
