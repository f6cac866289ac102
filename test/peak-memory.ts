import { readFileSync } from 'node:fs'

/**
 * The most memory that this process has held at any time, in bytes, as Linux tells it. `maxRSS` of Node is no use here:
 * in a new process it begins at the value of the process that started it.
 */
export function peakMemory(): number {
  const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
  return Number(kilobytes) * 1024
}
