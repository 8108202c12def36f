#include "npq/train/ranks/group.h"

#include <ATen/ops/from_blob.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <thread>
#include <utility>

#include "npq/train/ranks/address.h"
#include "npq/train/ranks/c10d.h"

namespace npq::train {
namespace {

using Watch = std::chrono::steady_clock;
using Bytes = std::vector<std::uint8_t>;
using std::chrono::milliseconds;

// Gloo itself never gives up: when its own time is over it closes all connections, and then nobody
// can tell any more who was late.
constexpr milliseconds kNever = std::chrono::hours(24 * 365);

constexpr milliseconds kLookAgain{20};

// For words with a store whose machine may be gone.
constexpr milliseconds kLastWords = std::chrono::seconds(3);

// The first sentence about the end of all.
constexpr const char* kEnd = "end";

// Rank 0 has the store, so it goes last.
constexpr milliseconds kUntilAllHeard = std::chrono::seconds(10);

Bytes bytes_of(const std::string& text) { return {text.begin(), text.end()}; }
std::string text_of(const Bytes& bytes) { return {bytes.begin(), bytes.end()}; }

std::string key(const char* what, int rank) { return fmt::format("{}/{}", what, rank); }

/// Errors of libtorch carry their stack.
std::string first_line(const std::exception& error) {
  const std::string text = error.what();
  return text.substr(0, text.find('\n'));
}

/// Work that may hang for ever goes on alone when its time is over. Whether it was done.
bool done_in_time(milliseconds time, std::function<void()> work) {
  std::packaged_task<void()> task(std::move(work));
  auto done = task.get_future();
  std::thread(std::move(task)).detach();
  if (done.wait_for(time) != std::future_status::ready) return false;
  try {
    done.get();
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

}  // namespace

/// What outlives the group if a thread still waits in it.
struct Group::Connections {
  c10::intrusive_ptr<c10d::Store> store;
  c10::intrusive_ptr<c10d::ProcessGroupGloo> gloo;
};

/// One message from each to each.
struct Group::Exchange {
  std::vector<std::string> messages;  // by rank
  std::atomic<int> waits_for{0};

  void run(c10d::ProcessGroupGloo& gloo, int own, int tag) {
    std::vector<c10::intrusive_ptr<c10d::Work>> receptions, sendings;
    const auto each_other = [&](const auto& call) {
      for (int rank = 0; rank < static_cast<int>(messages.size()); ++rank)
        if (rank != own) call(waits_for = rank);
    };
    const auto tensor = [&](int rank) {
      auto& bytes = messages[static_cast<std::size_t>(rank)];
      return std::vector{
          at::from_blob(bytes.data(), {static_cast<std::int64_t>(bytes.size())}, at::kByte)};
    };
    each_other([&](int rank) {
      auto theirs = tensor(rank);
      receptions.push_back(gloo.recv(theirs, rank, tag));
    });
    each_other([&](int rank) {
      auto mine = tensor(own);
      sendings.push_back(gloo.send(mine, rank, tag));
    });
    for (const auto& works : {receptions, sendings}) {
      auto work = works.begin();
      each_other([&](int) { (*work++)->wait(kNever); });
    }
  }
};

Group::Group(const Membership& membership)
    : own_(membership),
      connections_(std::make_shared<Connections>()),
      helper_(std::make_unique<Helper>()) {
  const auto way = way_to(own_.host);
  open_store();
  try {
    check_in(way);
    connect();
  } catch (const std::exception& error) {
    const bool first = claim(error.what());
    wait_for_others_to_hear();
    if (!first) throw RankLost("{}", error.what());
    if (dynamic_cast<const Error*>(&error) != nullptr) throw;
    throw Error("rank {} lost rank 0 at {} while all ranks gathered: {}", own_.rank, own_.host,
                first_line(error));
  }
}

Group::~Group() {
  if (hangs_)
    helper_.release();  // NOLINT: its thread waits, perhaps for ever, and keeps what it uses
  if (failed_) {
    if (!hangs_) connections_->gloo.reset();  // this is how the others notice
    wait_for_others_to_hear();
  } else {
    hear();
  }
}

void Group::open_store() {
  c10d::TCPStoreOptions options;
  options.port = static_cast<std::uint16_t>(own_.port);
  options.isServer = own_.rank == 0;
  options.waitWorkers = false;  // check_in() does, and names those who do not come
  options.timeout = own_.timeout;
  keep_c10d_quiet();  // what it would say, the Errors say
  try {
    connections_->store = c10::make_intrusive<c10d::TCPStore>(own_.host, options);
  } catch (const std::exception& error) {
    const auto words = first_line(error);
    if (own_.rank == 0)
      throw Error("rank 0 cannot listen at port {}: {}; choose another for all ranks with --port",
                  own_.port,
                  words.find("already in use") == words.npos ? words : "it is in use already");
    throw Error(
        "rank {} found no rank 0 at {}, port {}, within {} s; is it running, and is that "
        "its machine? ({})",
        own_.rank, own_.host, own_.port, own_.timeout.count(), words);
  }
}

void Group::check_in(const Way& way) {
  auto& store = *connections_->store;
  const auto deadline = Watch::now() + own_.timeout;
  const auto name = fmt::format("{}, process {}", own_host_name(), getpid());
  const auto me = fmt::format("{} {} {}", own_.count, way.to, name);
  const auto same = std::make_shared<std::atomic<std::int64_t>>(0);
  const bool answered = done_in_time(
      own_.timeout, [store = connections_->store, own = own_.rank, me = bytes_of(me), same] {
        store->set(key("rank", own), me);
        *same = store->add(key("count", own), 1);
      });
  if (!answered)
    throw Error(
        "what listens at {}, port {}, is not rank 0 of a run; choose another port for all "
        "ranks with --port",
        own_.host, own_.port);
  if (*same > 1)
    throw Error("there are two ranks {} of {}, one of them {}; every process needs its own number",
                own_.rank, own_.count, name);
  for (int rank = 0; rank < own_.count; ++rank) {
    while (!store.check({key("rank", rank)})) {
      if (store.check({kEnd})) throw RankLost("{}", text_of(store.get(kEnd)));
      if (Watch::now() > deadline)
        throw Error(
            "rank {} of {} has not come within {} s; start all ranks, or ask for more time "
            "with --rank-timeout",
            rank, own_.count, own_.timeout.count());
      std::this_thread::sleep_for(kLookAgain);
    }
    const auto words = text_of(store.get(key("rank", rank)));
    const auto first = words.find(' '), second = words.find(' ', first + 1);
    if (words.substr(0, first) != std::to_string(own_.count))
      throw Error("rank {} counts {} ranks where rank {} counts {}; start all with the same number",
                  rank, words.substr(0, first), own_.rank, own_.count);
    names_.push_back(words.substr(second + 1));
    const auto seen = words.substr(first + 1, second - first - 1);
    if (way_in_.empty() || is_loopback(way_in_)) way_in_ = seen;
  }
  if (own_.interface.empty())
    // Whoever reaches rank 0 without leaving the machine is on the same machine.
    own_.interface = is_loopback(way.from) ? way_in_ : way.from;
}

void Group::connect() {
  const auto options = c10d::ProcessGroupGloo::Options::create(own_.timeout);
  if (!is_address(own_.interface)) check_interface(own_.interface);
  try {
    options->devices.push_back(
        is_address(own_.interface)
            ? c10d::ProcessGroupGloo::createDeviceForHostname(own_.interface)
            : c10d::ProcessGroupGloo::createDeviceForInterface(own_.interface));
    connections_->gloo = c10::make_intrusive<c10d::ProcessGroupGloo>(connections_->store, own_.rank,
                                                                     own_.count, options);
  } catch (const std::exception& error) {
    throw Error(
        "rank {} ({}) cannot connect to all others through {}: {}; choose a network that "
        "reaches them with --interface",
        own_.rank, name_of(own_.rank), own_.interface, first_line(error));
  }
}

std::vector<std::string> Group::gather(std::string mine, const std::vector<std::size_t>& sizes) {
  NPQ_ASSERT(!failed_);
  // It lives as long as the thread that waits for it, however long that is.
  const auto exchange = std::make_shared<Exchange>();
  for (const auto size : sizes) exchange->messages.emplace_back(size, '\0');
  exchange->messages[static_cast<std::size_t>(own_.rank)] = std::move(mine);
  const int tag = static_cast<int>(exchanges_++ % 1'000'000);
  auto done = helper_->start([exchange, connections = connections_, own = own_.rank, tag] {
    exchange->run(*connections->gloo, own, tag);
  });
  hangs_ = done.wait_for(own_.timeout) != std::future_status::ready;
  if (hangs_)
    lose(exchange->waits_for,
         fmt::format("has not answered for {} s: it hangs, or its network is lost (--rank-timeout "
                     "says how long to wait)",
                     own_.timeout.count()));
  try {
    done.get();
  } catch (const std::exception&) {
    lose(exchange->waits_for, "has ended, or its network is lost");
  }
  return std::move(exchange->messages);
}

std::string Group::name_of(int rank) const {
  const auto index = static_cast<std::size_t>(rank);
  return index < names_.size() ? names_[index] : own_host_name();
}

void Group::lose(int rank, const std::string& what) {
  lost_ = rank;
  throw RankLost("rank {} of {} ({}) {}", rank, own_.count, name_of(rank), what);
}

bool Group::claim(const std::string& sentence) {
  failed_ = true;
  const auto answer = std::make_shared<std::string>();
  const auto words = fmt::format("rank {}: {}", own_.rank, sentence);
  const bool heard = done_in_time(kLastWords, [store = connections_->store, words, answer] {
    *answer = text_of(store->compareSet(kEnd, {}, bytes_of(words)));
  });
  if (heard) hear();
  return !heard || *answer == words;
}

void Group::hear() {
  if (own_.rank > 0)
    done_in_time(kLastWords, [store = connections_->store, own = own_.rank] {
      store->set(key("heard", own), Bytes());
    });
}

void Group::wait_for_others_to_hear() {
  if (own_.rank > 0) return;
  done_in_time(kUntilAllHeard, [store = connections_->store, lost = lost_, count = own_.count] {
    for (int rank = 1; rank < count; ++rank)
      if (rank != lost && store->check({key("rank", rank)}))
        store->wait({key("heard", rank)}, kUntilAllHeard);
  });
}

}  // namespace npq::train
