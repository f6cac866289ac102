import { readFileSync } from 'node:fs'

/**
 * How long the main thread of a process was ready so far and had to wait for a CPU because others used them, in
 * milliseconds. 0 for a process that has ended, and on systems that do not count it:
 * https://docs.kernel.org/scheduler/sched-stats.html#proc-pid-schedstat
 */
export function cpuWaitMs(pid: number | 'thread-self' = 'thread-self'): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6
  } catch {
    return 0
  }
}
