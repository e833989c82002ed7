// The real client through what stands between people and their model servers: TLS with HTTP/2 or
// HTTP/1.1, certificates of one's own, proxies with and without a password.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <set>
#include <sstream>

#include "fake_server/process.h"
#include "faults/runs.h"
#include "judges/ask.h"
#include "judges/openai.h"

namespace assay {
namespace {

using fake::PortProcess;
using fake::ServerProcess;
using test::ask_all;
using test::ask_one;
using test::lines_of;
using test::Scratch;
using testing::AllOf;
using testing::Each;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

constexpr const char* kKey = "sk-test-0123456789abcdef";

// A self-signed certificate for a name, which is its own authority.
struct Certificate {
  Certificate(const Scratch& scratch, const std::string& name)
      : file(scratch.path(name + ".pem")), key(scratch.path(name + ".key")) {
    const std::string command =
        "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj "
        "/CN=" +
        name + " -addext subjectAltName=DNS:" + name + " -keyout '" + key + "' -out '" + file +
        "' 2>/dev/null";
    if (std::system(command.c_str()) != 0) throw std::runtime_error("openssl makes no certificate");
  }
  std::string file;
  std::string key;
};

// A variable of the environment, as it was again at the end.
class Environment {
 public:
  Environment(std::string name, const std::string& value) : name_(std::move(name)) {
    if (const char* old = std::getenv(name_.c_str())) old_ = old;
    setenv(name_.c_str(), value.c_str(), 1);
  }
  ~Environment() { old_ ? setenv(name_.c_str(), old_->c_str(), 1) : unsetenv(name_.c_str()); }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  std::string name_;
  std::optional<std::string> old_;
};

class Transport : public testing::Test {
 protected:
  // Whatever this machine's own way out is, these tests stay on it.
  static void SetUpTestSuite() {
    for (const char* name : {"http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY",
                             "no_proxy", "SSL_CERT_FILE", "CURL_CA_BUNDLE"})
      unsetenv(name);
  }

  static std::string url_of(const PortProcess& process, const std::string& scheme) {
    return scheme + "://localhost:" + std::to_string(process.port()) + "/v1";
  }
  std::vector<std::string> front_arguments(const Certificate& certificate) const {
    return {std::to_string(server.port()), certificate.file, certificate.key, front_log};
  }
  PortProcess front(const std::string& protocol = "h2", int goaway = 0) const {
    std::vector<std::string> arguments = front_arguments(localhost);
    arguments.push_back(protocol);
    if (goaway > 0) arguments.push_back(std::to_string(goaway));
    return PortProcess(TLS_FRONT, arguments);
  }
  OpenAiOptions options_for(const std::string& url) const {
    OpenAiOptions options;
    options.model = "fake";
    options.base_urls = {url};
    options.api_key = kKey;
    options.ca_file = localhost.file;
    options.timeout_s = 10;
    options.max_retries = 1;
    options.backoff_s = 0.002;
    return options;
  }
  static std::vector<Request> questions(int n) {
    std::vector<Request> requests;
    for (int i = 0; i < n; ++i) {
      requests.push_back(test::yes_no(std::to_string(i) + (i % 3 == 0 ? " is BAD" : " is fine")));
    }
    return requests;
  }
  static void expect_right(const std::vector<Reply>& replies) {
    for (std::size_t i = 0; i < replies.size(); ++i) {
      EXPECT_EQ(replies[i].status, Status::kOk) << replies[i].problem;
      EXPECT_EQ(replies[i].text, i % 3 == 0 ? "no" : "yes");
    }
  }
  // The connections that carried a stream, and the most streams any of them carried at once.
  std::pair<std::set<int>, int> h2_use() const {
    std::set<int> connections;
    int most = 0;
    for (const std::string& line : lines_of(front_log)) {
      std::istringstream in(line);
      std::string protocol;
      int connection = 0;
      int streams = 0;
      in >> protocol >> connection >> streams;
      EXPECT_EQ(protocol, "h2");
      connections.insert(connection);
      most = std::max(most, streams);
    }
    return {connections, most};
  }

  Scratch scratch;
  Certificate localhost{scratch, "localhost"};
  std::string front_log = scratch.path("front.log");
  std::string proxy_log = scratch.path("proxy.log");
  ServerProcess server{{"--latency-ms", "20", "--require-key", kKey}};
};

TEST_F(Transport, ManyCallsShareFewHttp2Connections) {
  const PortProcess tls = front();
  OpenAiOptions options = options_for(url_of(tls, "https"));
  options.max_in_flight = 64;
  expect_right(ask_all(*make_openai(options), questions(300)));
  const auto [connections, most] = h2_use();
  EXPECT_LE(connections.size(), 2U) << "a connection carries up to 100 streams";
  EXPECT_GT(most, 32) << "calls travel beside each other";
  EXPECT_THAT(lines_of(front_log), SizeIs(300));
}

TEST_F(Transport, MoreCallsThanAConnectionTakesOpenOthers) {
  const PortProcess tls = front();
  OpenAiOptions options = options_for(url_of(tls, "https"));
  options.max_in_flight = 250;
  expect_right(ask_all(*make_openai(options), questions(600)));
  const auto [connections, most] = h2_use();
  EXPECT_GE(connections.size(), 2U);
  EXPECT_LT(connections.size(), 200U) << "the first still carries its hundred";
  EXPECT_LE(most, 100);
}

TEST_F(Transport, AConnectionThatSaysGoodbyeLosesNoCall) {
  const PortProcess tls = front("h2", 40);
  OpenAiOptions options = options_for(url_of(tls, "https"));
  options.max_in_flight = 16;
  options.max_retries = 4;
  expect_right(ask_all(*make_openai(options), questions(200)));
  EXPECT_GE(h2_use().first.size(), 4U);
}

TEST_F(Transport, AServerWithoutHttp2IsSpokenToInHttp1) {
  const PortProcess tls = front("http/1.1");
  OpenAiOptions options = options_for(url_of(tls, "https"));
  options.max_in_flight = 8;
  expect_right(ask_all(*make_openai(options), questions(60)));
  EXPECT_THAT(lines_of(front_log), AllOf(Each(StartsWith("http/1.1 ")), SizeIs(testing::Le(8U))))
      << "connections are used again";
}

TEST_F(Transport, TheCertificateFileMayComeFromTheEnvironment) {
  const PortProcess tls = front();
  const Environment certificate("SSL_CERT_FILE", localhost.file);
  OpenAiOptions options = options_for(url_of(tls, "https"));
  options.ca_file.clear();
  expect_right(ask_all(*make_openai(options), questions(3)));
}

TEST_F(Transport, AnUntrustedCertificateIsOneClearLineAndNothingIsSent) {
  const Certificate elsewhere(scratch, "elsewhere.test");
  const PortProcess unknown = front();
  const PortProcess other_name(TLS_FRONT, front_arguments(elsewhere));
  OpenAiOptions untrusted = options_for(url_of(unknown, "https"));
  untrusted.ca_file.clear();
  OpenAiOptions misnamed = options_for(url_of(other_name, "https"));
  misnamed.ca_file = elsewhere.file;
  OpenAiOptions no_file = options_for(url_of(unknown, "https"));
  no_file.ca_file = scratch.path("missing.pem");
  for (const OpenAiOptions& options : {untrusted, misnamed, no_file}) {
    const Reply reply = ask_one(*make_openai(options), questions(1)[0]);
    EXPECT_EQ(reply.status, Status::kTransport);
    EXPECT_THAT(reply.problem, AllOf(HasSubstr("certificate"), Not(HasSubstr("\n"))));
  }
  EXPECT_THAT(lines_of(front_log), Each("refused"));
}

TEST_F(Transport, AProxyTunnelsHttpsAndLearnsNeitherKeyNorQuestion) {
  const PortProcess tls = front();
  const PortProcess proxy(FORWARD_PROXY, {proxy_log});
  const Environment through("HTTPS_PROXY", "http://127.0.0.1:" + std::to_string(proxy.port()));
  OpenAiOptions options = options_for(url_of(tls, "https"));
  options.max_in_flight = 8;
  expect_right(ask_all(*make_openai(options), questions(20)));
  EXPECT_THAT(lines_of(proxy_log),
              AllOf(Not(IsEmpty()), Each(StartsWith("CONNECT localhost:")),
                    Each(AllOf(Not(HasSubstr(kKey)), Not(HasSubstr("is fine"))))));
  EXPECT_THAT(lines_of(front_log), SizeIs(20));
}

TEST_F(Transport, PlainHttpGoesThroughAProxyUnlessExcepted) {
  const PortProcess proxy(FORWARD_PROXY, {proxy_log});
  const Environment through("http_proxy", "http://127.0.0.1:" + std::to_string(proxy.port()));
  expect_right(ask_all(*make_openai(options_for(url_of(server, "http"))), questions(4)));
  const std::size_t used = lines_of(proxy_log).size();
  EXPECT_GT(used, 0U);
  const Environment except("no_proxy", "localhost");
  expect_right(ask_all(*make_openai(options_for(url_of(server, "http"))), questions(4)));
  EXPECT_EQ(lines_of(proxy_log).size(), used);
}

TEST_F(Transport, AProxyPasswordIsSentToTheProxyAndNeverShown) {
  const PortProcess tls = front();
  const PortProcess proxy(FORWARD_PROXY, {proxy_log, "dXNlcjpzZXNhbWU="});  // user:sesame
  const std::string place = "127.0.0.1:" + std::to_string(proxy.port());
  {
    const Environment through("HTTPS_PROXY", "http://user:sesame@" + place);
    expect_right(ask_all(*make_openai(options_for(url_of(tls, "https"))), questions(2)));
  }
  const Environment through("HTTPS_PROXY", "http://user:wrong-password@" + place);
  const Reply reply = ask_one(*make_openai(options_for(url_of(tls, "https"))), questions(1)[0]);
  EXPECT_EQ(reply.status, Status::kTransport);
  EXPECT_THAT(reply.problem, AllOf(HasSubstr("407"), Not(HasSubstr("wrong-password"))));
}

TEST_F(Transport, TheWholeCommandOverHttp2AndAProxy) {
  const PortProcess tls = front();
  const PortProcess proxy(FORWARD_PROXY, {proxy_log});
  const Environment through("HTTPS_PROXY", "http://127.0.0.1:" + std::to_string(proxy.port()));
  const Environment key("OPENAI_API_KEY", kKey);
  const std::string rows = scratch.file("rows.jsonl", test::made_rows(30));
  const auto run = [&](const std::string& url, const std::string& name) {
    const test::Outcome done = test::run_assay(
        {"eval", rows, "-d", "fluency", "--judge", "openai:fake", "--base-url", url, "--ca-file",
         localhost.file, "--store", scratch.path(name + ".db"), "-o", scratch.path(name), "-q"});
    EXPECT_EQ(done.code, 0) << done.err;
    return test::without_usage(test::slurp(scratch.path(name)));
  };
  const std::string plain = run(server.url(), "plain.jsonl");
  EXPECT_EQ(run(url_of(tls, "https"), "tls.jsonl"), plain);
  EXPECT_NE(plain, "");
  EXPECT_THAT(lines_of(proxy_log), Each(StartsWith("CONNECT ")));
}

}  // namespace
}  // namespace assay
