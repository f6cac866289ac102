import process from 'node:process'
import { countHandles, forgetPeakRss, fromKernel } from './own-proc.ts'

/** What a process says of itself: bytes in millions, time in milliseconds. Peaks are since the last `reset`. */
export interface Figures {
  /** The kernel's own peak of the resident memory where it tells it, else the highest sample. */
  readonly peakRssMb: number
  readonly peakHeapUsedMb: number
  readonly peakExternalMb: number
  readonly peakArrayBuffersMb: number
  /** At the moment. */
  readonly rssMb: number
  /** At the moment: files, sockets and pipes. */
  readonly handles: number
  /** Since the process began, as the kernel counts it: to files, sockets and pipes. */
  readonly writtenMb: number
  /** How long work that was due had to wait while this process computed. */
  readonly loopDelayMs: { readonly p999: number; readonly max: number }
}

/** So that what a sample takes itself is a small part of a core. */
const everyMs = 10
const million = 1e6

/**
 * Samples memory and event loop of this process, on every runtime in the same way: `monitorEventLoopDelay` of
 * node:perf_hooks stands still on Deno. A delay counts as long as the process has computed in it, so that a machine that
 * gives the turn to others does not look like a blocked loop.
 */
export function ownFigures(): { readonly reset: () => void; readonly now: () => Figures } {
  const peaks = { rss: 0, heapUsed: 0, external: 0, arrayBuffers: 0 }
  let delays: number[] = []
  let last = performance.now()
  let lastCpu = process.cpuUsage()

  function sample(): void {
    const now = performance.now()
    const cpu = process.cpuUsage()
    const computedMs = (cpu.user - lastCpu.user + cpu.system - lastCpu.system) / 1000
    delays.push(Math.max(0, Math.min(now - last - everyMs, computedMs)))
    last = now
    lastCpu = cpu
    const usage = process.memoryUsage()
    for (const name of Object.keys(peaks) as (keyof typeof peaks)[])
      peaks[name] = Math.max(peaks[name], usage[name])
  }
  setInterval(sample, everyMs)

  return {
    reset() {
      forgetPeakRss()
      delays = []
      Object.assign(peaks, { rss: 0, heapUsed: 0, external: 0, arrayBuffers: 0 })
      last = performance.now()
      lastCpu = process.cpuUsage()
    },
    now() {
      sample()
      const sorted = delays.toSorted((a, b) => a - b)
      return {
        peakRssMb: Math.max(fromKernel('status', 'VmHWM') * 1024, peaks.rss) / million,
        peakHeapUsedMb: peaks.heapUsed / million,
        peakExternalMb: peaks.external / million,
        peakArrayBuffersMb: peaks.arrayBuffers / million,
        rssMb: process.memoryUsage.rss() / million,
        handles: countHandles(),
        writtenMb: fromKernel('io', 'wchar') / million,
        loopDelayMs: { p999: sorted[Math.floor(sorted.length * 0.999)] ?? 0, max: sorted.at(-1) ?? 0 },
      }
    },
  }
}
