import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import process from 'node:process'

/** A number about this process from /proc/self; 0 on systems without it. */
export function fromKernel(file: 'status' | 'io', name: string): number {
  try {
    const line = readFileSync(`/proc/self/${file}`, 'utf8')
      .split('\n')
      .find((line) => line.startsWith(`${name}:`))
    return Number(/\d+/.exec(line ?? '')?.[0] ?? 0)
  } catch {
    return 0
  }
}

/**
 * How many millions of bytes of new memory the kernel has given this process since it began, in pages of 4096 bytes; 0 on
 * systems that do not tell: `minflt` in proc_pid_stat(5).
 */
export function newMemoryMb(): number {
  try {
    // The name of the process may have spaces in it.
    const [, fields = ''] = readFileSync('/proc/self/stat', 'utf8').split(') ')
    return (Number(fields.split(' ')[7]) * 4096) / 1e6
  } catch {
    return 0
  }
}

/** Makes the kernel measure the peak of the resident memory from now on: proc(5), clear_refs. */
export function forgetPeakRss(): void {
  try {
    writeFileSync('/proc/self/clear_refs', '5')
  } catch {
    // On systems without /proc the samples are used instead.
  }
}

/** How many files, sockets and pipes this process has open; 0 on systems that do not tell. */
export function countHandles(): number {
  try {
    return readdirSync('/proc/self/fd').length
  } catch {
    return 0
  }
}

/**
 * How long the thread of the event loop has used a CPU so far, and how long it was ready and had to wait for one because
 * other threads used them. In milliseconds, to within some 4 ms. Threads that compile or collect garbage do not count. On
 * systems that do not tell, they do, and the thread has never waited:
 * https://docs.kernel.org/scheduler/sched-stats.html#proc-pid-schedstat
 */
export function loopCpu(): { readonly usedMs: number; readonly waitedMs: number } {
  try {
    const [used, waited] = readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')
    return { usedMs: Number(used) / 1e6, waitedMs: Number(waited) / 1e6 }
  } catch {
    const { user, system } = process.cpuUsage()
    return { usedMs: (user + system) / 1000, waitedMs: 0 }
  }
}
