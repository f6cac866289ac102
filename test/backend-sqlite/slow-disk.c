/*
 * A library for LD_PRELOAD. It makes each sync of the process take 50 ms, and appends a line to the file $SYNC_LOG that names
 * the thread which waited: "main" for the thread of the event loop, "other" for any other thread.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int slow_sync(void) {
  const char *log = getenv("SYNC_LOG");
  const char *who = syscall(SYS_gettid) == getpid() ? "main\n" : "other\n";
  int descriptor = log ? open(log, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600) : -1;
  if (descriptor >= 0) {
    if (write(descriptor, who, strlen(who)) < 0) abort();
    close(descriptor);
  }
  usleep(50000);
  return 0;
}

int fsync(int descriptor) { return fcntl(descriptor, F_GETFD) < 0 ? -1 : slow_sync(); }

int fdatasync(int descriptor) { return fcntl(descriptor, F_GETFD) < 0 ? -1 : slow_sync(); }
