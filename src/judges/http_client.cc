// libcurl's socket interface driven by epoll. curl_multi_perform and curl_multi_poll look at every
// transfer on each turn, which at a thousand in flight costs more than the calls themselves; with
// socket_action a turn costs what happened in it. Easy handles are pooled per endpoint with URL,
// headers and options set, so a call sets four options and allocates its body and its reply.
#include "judges/http_client.h"

#include <curl/curl.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <mutex>
#include <queue>
#include <stdexcept>
#include <thread>

namespace assay {
namespace {

constexpr int kMaxEvents = 256;
constexpr double kConnectSeconds = 30;

// One call under way, and the easy handle it keeps for its endpoint's next call.
struct Transfer {
  CURL* easy = nullptr;
  std::size_t endpoint = 0;
  std::size_t max_reply = 0;
  std::string body;
  HttpReply reply;
  HttpClient::Done done;
  double begun = 0;
  std::array<char, CURL_ERROR_SIZE> error{};
  std::size_t slot = 0;  // place among the active ones
};

std::size_t take_body(char* data, std::size_t size, std::size_t count, void* user) {
  auto* transfer = static_cast<Transfer*>(user);
  const std::size_t bytes = size * count;
  if (transfer->reply.body.size() + bytes > transfer->max_reply) {
    transfer->reply.failure = HttpFailure::kTooLarge;
    return 0;  // curl ends the transfer
  }
  transfer->reply.body.append(data, bytes);
  return bytes;
}

HttpFailure failure_of(CURLcode code) {
  switch (code) {
    case CURLE_OK:
      return HttpFailure::kNone;
    case CURLE_OPERATION_TIMEDOUT:
      return HttpFailure::kTimeout;
    case CURLE_COULDNT_CONNECT:
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_UNSUPPORTED_PROTOCOL:
      return HttpFailure::kConnect;
    default:
      return HttpFailure::kBroken;
  }
}

bool speaks_of_limits(const std::string& name) {
  return name == "retry-after" || name == "retry-after-ms" || name.starts_with("x-ratelimit-") ||
         name.starts_with("anthropic-ratelimit-");
}

Named<std::string> limit_headers(CURL* easy) {
  Named<std::string> kept;
  curl_header* header = nullptr;
  while ((header = curl_easy_nextheader(easy, CURLH_HEADER, -1, header)) != nullptr) {
    std::string name = header->name;
    for (char& c : name) c = (c >= 'A' && c <= 'Z') ? static_cast<char>(c + 32) : c;
    if (speaks_of_limits(name)) kept.emplace_back(std::move(name), header->value);
  }
  return kept;
}

std::string ca_from_environment() {
  for (const char* name : {"SSL_CERT_FILE", "CURL_CA_BUNDLE"}) {
    const char* value = std::getenv(name);
    if (value != nullptr && *value != '\0') return value;
  }
  return {};
}

// curl wants this once per process, before any thread uses it; the static's guard is the lock.
void initialise_curl() {
  static const CURLcode code = curl_global_init(CURL_GLOBAL_DEFAULT);
  if (code != CURLE_OK) throw std::runtime_error("libcurl cannot be initialised");
}

}  // namespace

class HttpClient::Loop {
 public:
  Loop(HttpOptions options, std::vector<HttpEndpoint> endpoints)
      : options_(std::move(options)), endpoints_(std::move(endpoints)) {
    initialise_curl();
    if (options_.ca_file.empty()) options_.ca_file = ca_from_environment();
    epoll_ = epoll_create1(EPOLL_CLOEXEC);
    wake_ = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    multi_ = curl_multi_init();
    if (epoll_ < 0 || wake_ < 0 || multi_ == nullptr) {
      throw std::runtime_error("no event loop: too many open files");
    }
    watch(wake_, EPOLLIN, EPOLL_CTL_ADD);
    curl_multi_setopt(multi_, CURLMOPT_SOCKETFUNCTION, &Loop::on_socket);
    curl_multi_setopt(multi_, CURLMOPT_SOCKETDATA, this);
    curl_multi_setopt(multi_, CURLMOPT_TIMERFUNCTION, &Loop::on_timer);
    curl_multi_setopt(multi_, CURLMOPT_TIMERDATA, this);
    curl_multi_setopt(multi_, CURLMOPT_MAXCONNECTS, static_cast<long>(options_.max_connections));
    idle_.resize(endpoints_.size());
    for (const HttpEndpoint& endpoint : endpoints_) header_lists_.push_back(list_of(endpoint));
    thread_ = std::thread([this] { run(); });
  }

  // To be called before destruction begins: callbacks still use the client that owns this.
  void stop() {
    post([this] { stopping_ = true; });
    thread_.join();
  }

  ~Loop() {
    for (auto& pool : idle_) {
      for (auto& transfer : pool) curl_easy_cleanup(transfer->easy);
    }
    curl_multi_cleanup(multi_);
    for (curl_slist* list : header_lists_) curl_slist_free_all(list);
    close(wake_);
    close(epoll_);
  }

  void post(Task task) {
    bool was_empty = false;
    {
      const std::scoped_lock lock(mutex_);
      was_empty = inbox_.empty();
      inbox_.push_back(std::move(task));
    }
    // One write wakes the loop for everything that gathers until it looks.
    if (was_empty && std::this_thread::get_id() != thread_.get_id()) {
      const std::uint64_t one = 1;
      [[maybe_unused]] const ssize_t written = write(wake_, &one, sizeof one);
    }
  }

  void after(double seconds, Task task) {
    timers_.push_back({now() + seconds, std::move(task)});
    std::push_heap(timers_.begin(), timers_.end(), Later{});
  }

  void send(std::size_t endpoint, std::string body, double timeout_s, Done done) {
    std::unique_ptr<Transfer> transfer = idle_transfer(endpoint);
    CURL* easy = transfer->easy;
    transfer->body = std::move(body);
    transfer->done = std::move(done);
    transfer->begun = now();
    transfer->error[0] = '\0';
    if (endpoints_[endpoint].post) {
      curl_easy_setopt(easy, CURLOPT_POSTFIELDS, transfer->body.data());
      curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE,
                       static_cast<curl_off_t>(transfer->body.size()));
    }
    curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, std::max(1L, std::lround(timeout_s * 1000)));
    transfer->slot = active_.size();
    active_.push_back(std::move(transfer));
    curl_multi_add_handle(multi_, easy);  // asks for a zero timer: started later in this turn
  }

 private:
  struct Timer {
    double due;
    Task task;
  };
  struct Later {
    bool operator()(const Timer& a, const Timer& b) const { return a.due > b.due; }
  };

  static curl_slist* list_of(const HttpEndpoint& endpoint) {
    curl_slist* list = nullptr;
    for (const std::string& header : endpoint.headers) {
      list = curl_slist_append(list, header.c_str());
    }
    return curl_slist_append(list, "Expect:");  // no 100-continue pause before long prompts
  }

  std::unique_ptr<Transfer> idle_transfer(std::size_t endpoint) {
    auto& pool = idle_[endpoint];
    if (!pool.empty()) {
      std::unique_ptr<Transfer> transfer = std::move(pool.back());
      pool.pop_back();
      return transfer;
    }
    auto transfer = std::make_unique<Transfer>();
    transfer->endpoint = endpoint;
    transfer->max_reply = options_.max_reply;
    transfer->easy = curl_easy_init();
    if (transfer->easy == nullptr) throw std::bad_alloc();
    prepare(*transfer);
    return transfer;
  }

  void prepare(Transfer& transfer) {
    CURL* easy = transfer.easy;
    const HttpEndpoint& endpoint = endpoints_[transfer.endpoint];
    curl_easy_setopt(easy, CURLOPT_URL, endpoint.url.c_str());
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, header_lists_[transfer.endpoint]);
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS);
    if (endpoint.url.starts_with("https")) curl_easy_setopt(easy, CURLOPT_PIPEWAIT, 1L);
    curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(kConnectSeconds * 1000));
    curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, 8192L);
    curl_easy_setopt(easy, CURLOPT_UPLOAD_BUFFERSIZE, 16384L);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, &take_body);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, &transfer);
    curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, transfer.error.data());
    curl_easy_setopt(easy, CURLOPT_PRIVATE, &transfer);
    if (endpoint.post) curl_easy_setopt(easy, CURLOPT_POST, 1L);
    if (!options_.ca_file.empty()) {
      curl_easy_setopt(easy, CURLOPT_CAINFO, options_.ca_file.c_str());
    }
  }

  bool watch(int fd, std::uint32_t events, int operation) const {
    epoll_event event{};
    event.events = events;
    event.data.fd = fd;
    return epoll_ctl(epoll_, operation, fd, &event) == 0;
  }

  static int on_socket(CURL* /*easy*/, curl_socket_t fd, int what, void* user, void* known) {
    auto* loop = static_cast<Loop*>(user);
    if (what == CURL_POLL_REMOVE) {
      loop->watch(fd, 0, EPOLL_CTL_DEL);
      return 0;
    }
    const std::uint32_t events =
        ((what & CURL_POLL_IN) != 0 ? EPOLLIN : 0U) | ((what & CURL_POLL_OUT) != 0 ? EPOLLOUT : 0U);
    const bool added = known == nullptr && loop->watch(fd, events, EPOLL_CTL_ADD);
    if (!added && !loop->watch(fd, events, EPOLL_CTL_MOD)) loop->watch(fd, events, EPOLL_CTL_ADD);
    if (known == nullptr) curl_multi_assign(loop->multi_, fd, loop);
    return 0;
  }

  static int on_timer(CURLM* /*multi*/, long ms, void* user) {
    auto* loop = static_cast<Loop*>(user);
    loop->curl_due_ = ms < 0 ? -1 : now() + static_cast<double>(ms) / 1000;
    return 0;
  }

  void run() {
    std::array<epoll_event, kMaxEvents> events{};
    while (!stopping_) {
      const int count = epoll_wait(epoll_, events.data(), kMaxEvents, wait_ms());
      for (int i = 0; i < count; ++i) take_event(events[static_cast<std::size_t>(i)]);
      run_inbox();
      run_timers();
      run_curl_timer();
      reap();  // last: a call may be over as soon as it is begun, and no event would tell
    }
    run_inbox();
    fail_active();
    run_inbox();
  }

  int wait_ms() {
    {
      const std::scoped_lock lock(mutex_);
      if (!inbox_.empty()) return 0;
    }
    double due = timers_.empty() ? -1 : timers_.front().due;
    if (curl_due_ >= 0 && (due < 0 || curl_due_ < due)) due = curl_due_;
    if (due < 0) return -1;
    return static_cast<int>(std::clamp(std::ceil((due - now()) * 1000), 0.0, 60000.0));
  }

  void take_event(const epoll_event& event) {
    if (event.data.fd == wake_) {
      std::uint64_t count = 0;
      [[maybe_unused]] const ssize_t got = read(wake_, &count, sizeof count);
      return;
    }
    int what = 0;
    if ((event.events & EPOLLIN) != 0) what |= CURL_CSELECT_IN;
    if ((event.events & EPOLLOUT) != 0) what |= CURL_CSELECT_OUT;
    if ((event.events & (EPOLLERR | EPOLLHUP)) != 0) what |= CURL_CSELECT_ERR;
    int running = 0;
    curl_multi_socket_action(multi_, event.data.fd, what, &running);
  }

  void run_inbox() {
    {
      const std::scoped_lock lock(mutex_);
      working_.swap(inbox_);
    }
    for (Task& task : working_) task();
    working_.clear();
  }

  void run_timers() {
    const double time = now();
    while (!timers_.empty() && timers_.front().due <= time) {
      std::pop_heap(timers_.begin(), timers_.end(), Later{});
      const Task task = std::move(timers_.back().task);
      timers_.pop_back();
      task();
    }
  }

  void run_curl_timer() {
    if (curl_due_ < 0 || curl_due_ > now()) return;
    curl_due_ = -1;
    int running = 0;
    curl_multi_socket_action(multi_, CURL_SOCKET_TIMEOUT, 0, &running);
  }

  void reap() {
    int left = 0;
    while (CURLMsg* message = curl_multi_info_read(multi_, &left)) {
      if (message->msg != CURLMSG_DONE) continue;
      CURL* easy = message->easy_handle;
      const CURLcode code = message->data.result;
      char* user = nullptr;
      curl_easy_getinfo(easy, CURLINFO_PRIVATE, &user);
      finish(*reinterpret_cast<Transfer*>(user), code);
    }
  }

  void finish(Transfer& transfer, CURLcode code) {
    HttpReply& reply = transfer.reply;
    reply.ms = (now() - transfer.begun) * 1000;
    if (reply.failure == HttpFailure::kTooLarge) {
      reply.error = "the reply is larger than the limit";
    } else if (code != CURLE_OK) {
      reply.failure = failure_of(code);
      reply.error = transfer.error[0] != '\0' ? transfer.error.data() : curl_easy_strerror(code);
    }
    long status = 0;
    curl_easy_getinfo(transfer.easy, CURLINFO_RESPONSE_CODE, &status);
    reply.status = static_cast<int>(status);
    reply.headers = limit_headers(transfer.easy);
    hand_over(transfer);
  }

  void hand_over(Transfer& transfer) {
    curl_multi_remove_handle(multi_, transfer.easy);
    std::unique_ptr<Transfer> owned = std::move(active_[transfer.slot]);
    if (owned->slot + 1 != active_.size()) {
      active_.back()->slot = owned->slot;
      active_[owned->slot] = std::move(active_.back());
    }
    active_.pop_back();
    const Done done = std::move(owned->done);
    HttpReply reply = std::move(owned->reply);
    owned->done = nullptr;
    owned->reply = {};
    owned->body.clear();
    idle_[owned->endpoint].push_back(std::move(owned));
    done(std::move(reply));
  }

  void fail_active() {
    while (!active_.empty()) {
      Transfer& transfer = *active_.back();
      transfer.reply.failure = HttpFailure::kStopped;
      transfer.reply.error = "stopped before the reply came";
      hand_over(transfer);
    }
  }

  HttpOptions options_;
  std::vector<HttpEndpoint> endpoints_;
  std::vector<curl_slist*> header_lists_;
  int epoll_ = -1;
  int wake_ = -1;
  CURLM* multi_ = nullptr;
  double curl_due_ = -1;
  bool stopping_ = false;
  std::vector<std::vector<std::unique_ptr<Transfer>>> idle_;
  std::vector<std::unique_ptr<Transfer>> active_;
  std::vector<Timer> timers_;
  std::vector<Task> working_;
  std::mutex mutex_;
  std::vector<Task> inbox_;  // guarded by mutex_
  std::thread thread_;
};

HttpClient::HttpClient(HttpOptions options, std::vector<HttpEndpoint> endpoints)
    : loop_(std::make_unique<Loop>(std::move(options), std::move(endpoints))) {}

HttpClient::~HttpClient() { loop_->stop(); }

void HttpClient::post(Task task) { loop_->post(std::move(task)); }

void HttpClient::send(std::size_t endpoint, std::string body, double timeout_s, Done done) {
  loop_->send(endpoint, std::move(body), timeout_s, std::move(done));
}

void HttpClient::after(double seconds, Task task) { loop_->after(seconds, std::move(task)); }

double HttpClient::now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace assay
