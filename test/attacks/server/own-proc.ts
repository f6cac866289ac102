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
 * How long the thread of the event loop has used a CPU so far, in milliseconds, to within some 4 ms. Threads that compile
 * or collect garbage do not count. On systems that do not tell, they do:
 * https://docs.kernel.org/scheduler/sched-stats.html#proc-pid-schedstat
 */
export function loopCpuMs(): number {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6
  } catch {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  }
}
