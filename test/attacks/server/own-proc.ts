import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import process from 'node:process'

/** What `read` finds below /proc. @returns `otherwise` on systems without it */
function fromProc<Value>(read: () => Value, otherwise: Value): Value {
  try {
    return read()
  } catch {
    return otherwise
  }
}

/** A number about this process from /proc/self. */
export function fromKernel(file: 'status' | 'io', name: string): number {
  const pattern = new RegExp(`^${name}:\\s*(\\d+)`, 'm')
  return fromProc(() => Number(pattern.exec(readFileSync(`/proc/self/${file}`, 'utf8'))?.[1] ?? 0), 0)
}

/** How many millions of bytes of new memory the kernel has given this process: `minflt` in proc_pid_stat(5), pages of 4096 bytes. */
export function newMemoryMb(): number {
  // The name of the process may have spaces in it.
  const fields = fromProc(() => readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' '), undefined)
  return (Number(fields?.[7] ?? 0) * 4096) / 1e6
}

/** Makes the kernel measure the peak of the resident memory from now on: proc(5), clear_refs. */
export function forgetPeakRss(): void {
  fromProc(() => writeFileSync('/proc/self/clear_refs', '5'), undefined)
}

/** How many files, sockets and pipes this process has open. */
export function countHandles(): number {
  return fromProc(() => readdirSync('/proc/self/fd').length, 0)
}

/** How many TCP connections this process has. Threads that start later bring handles of other kinds. */
export function countConnections(): number {
  const established = new Set(['tcp', 'tcp6'].flatMap(establishedIn))
  const isConnection = (descriptor: string) =>
    fromProc(() => established.has(readlinkSync(`/proc/self/fd/${descriptor}`)), false)
  return fromProc(() => readdirSync('/proc/self/fd').filter(isConnection).length, 0)
}

/** The links of the sockets in a table of the kernel whose state is 01, established: proc_pid_net(5). */
function establishedIn(table: string): readonly string[] {
  const lines = fromProc(() => readFileSync(`/proc/self/net/${table}`, 'utf8').split('\n').slice(1), [])
  return lines
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , , state]) => state === '01')
    .map((fields) => `socket:[${fields[9]}]`)
}

/**
 * How long the thread of the event loop has used a CPU so far, and how long it was ready and had to wait for one because
 * other threads used them. In milliseconds, to within some 4 ms. Threads that compile or collect garbage do not count. On
 * systems that do not tell, they do, and the thread has never waited:
 * https://docs.kernel.org/scheduler/sched-stats.html#proc-pid-schedstat
 */
export function loopCpu(): { readonly usedMs: number; readonly waitedMs: number } {
  const text = fromProc(() => readFileSync('/proc/thread-self/schedstat', 'utf8'), undefined)
  const { user, system } = process.cpuUsage()
  if (text === undefined) return { usedMs: (user + system) / 1000, waitedMs: 0 }
  const [used, waited] = text.split(' ')
  return { usedMs: Number(used) / 1e6, waitedMs: Number(waited) / 1e6 }
}
