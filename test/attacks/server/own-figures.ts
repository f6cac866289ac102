import process from 'node:process'
import {
  countHandles,
  countConnections,
  forgetPeakRss,
  fromKernel,
  loopCpu,
  newMemoryMb,
} from './own-proc.ts'

/** The time between two samples, in milliseconds: long enough that sampling takes only a small part of a core. */
const everyMs = 10
const million = 1e6

/**
 * Samples the memory and the event loop of this process, on every runtime in the same way. (`monitorEventLoopDelay` of
 * node:perf_hooks does not work on Deno.) Of a delay only the time counts in which the process was computing, so that a
 * machine that runs other processes does not look like a blocked event loop.
 */
export function ownFigures() {
  let peakRss = 0
  let delays: number[] = []
  let last = performance.now()
  let lastCpuMs = loopCpu().usedMs

  function sample(): void {
    const now = performance.now()
    const cpuMs = loopCpu().usedMs
    delays.push(Math.max(0, Math.min(now - last - everyMs, cpuMs - lastCpuMs)))
    last = now
    lastCpuMs = cpuMs
    peakRss = Math.max(peakRss, process.memoryUsage.rss())
  }
  const timer = setInterval(sample, everyMs)

  return {
    /** Ends the sampling. */
    end: () => clearInterval(timer),
    reset() {
      forgetPeakRss()
      delays = []
      peakRss = 0
      last = performance.now()
      lastCpuMs = loopCpu().usedMs
    },
    /** Bytes are in millions, times in milliseconds. Peaks count since the last `reset`. */
    now() {
      sample()
      const sorted = delays.toSorted((a, b) => a - b)
      return {
        /** Of the resident memory: from the kernel if it tells one, else the highest sample. */
        peakRssMb: Math.max(fromKernel('status', 'VmHWM') * 1024, peakRss) / million,
        rssMb: process.memoryUsage.rss() / million,
        /** Since the process began. What was given back and given anew counts again. */
        newMemoryMb: newMemoryMb(),
        /** How many files, sockets and pipes are open. */
        handles: countHandles(),
        connections: countConnections(),
        /** To files, sockets and pipes, since the process began. */
        writtenMb: fromKernel('io', 'wchar') / million,
        /** How long a due timer had to wait while this process was computing. */
        loopDelayMs: { p999: sorted[Math.floor(sorted.length * 0.999)] ?? 0, max: sorted.at(-1) ?? 0 },
      }
    },
  }
}

/**
 * How much CPU time a fixed computation takes this process at this moment, in milliseconds: about 25 on a quick machine that
 * does nothing else. Limits for times are multiples of it, so that a slow or busy machine does not break them.
 */
export function yardstickMs(): number {
  const before = loopCpu().usedMs
  const table = new Uint32Array(2 ** 20)
  for (let round = 0, at = 1; round < 12_000_000; round++) {
    at = (Math.imul(at, 1_664_525) + 1_013_904_223) >>> 0
    table[at >>> 12]! += at
  }
  return loopCpu().usedMs - before
}
