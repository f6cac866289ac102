import { readFileSync } from 'node:fs'
import { numberedStream } from './numbered-stream.ts'

/**
 * The most memory that this process has held at any time, in bytes, as Linux tells it. `maxRSS` of Node is no use here:
 * in a new process it begins at the value of the process that started it.
 */
export function peakMemory(): number {
  const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
  return Number(kilobytes) * 1024
}

/**
 * The peak after a stream of so many chunks was only read. What a store needs for such a stream comes on top: on a busy
 * machine, Node lets 70 MB of the chunks lie before it collects them.
 */
export async function peakOfReading(chunkCount: number): Promise<number> {
  await numberedStream(chunkCount).pipeTo(new WritableStream())
  return peakMemory()
}
