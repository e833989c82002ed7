#include "assay/question.h"

namespace assay {

std::vector<Message> messages_of(const Question& question) {
  std::vector<Message> messages = question.shared;
  if (question.tail.empty()) return messages;
  if (!messages.empty() && messages.back().role == Role::kUser) {
    messages.back().text += question.tail;
  } else {
    messages.push_back({Role::kUser, question.tail});
  }
  return messages;
}

}  // namespace assay
