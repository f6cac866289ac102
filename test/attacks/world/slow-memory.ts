import { loopCpu } from '../server/own-proc.ts'

/** Memory that no process has used yet takes most machines 0.2 to 0.4 ms a megabyte. */
const usualMsPerMb = 0.5
const sampleMb = 40

/**
 * How many milliseconds a megabyte of new memory takes on this machine beyond the usual. A virtual machine whose host
 * hands out each page by itself takes 5 ms a megabyte (seen 2026-11-24), and a process can do nothing about it.
 */
export function slowMemoryMsPerMb(): number {
  const before = loopCpu().usedMs
  Buffer.alloc(sampleMb * 1e6, 1)
  return Math.max(0, (loopCpu().usedMs - before) / sampleMb - usualMsPerMb)
}
