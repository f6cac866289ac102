import { readdirSync, readFileSync } from 'node:fs'

/** Linux counts the CPU time of a process in ticks of 10 ms. */
const tickMs = 10

/** What Linux says of a process: its parent, its CPU time, and that of its children that have ended, in milliseconds. */
function statOf(pid: number | string) {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The name of the program may have spaces in it.
  const fields = text
    .replace(/^.*\) /, '')
    .split(' ')
    .map(Number)
  const ms = (user: number) => (fields[user]! + fields[user + 1]!) * tickMs
  return { parent: fields[1]!, ownMs: ms(11), endedMs: ms(13) }
}

/** The process that has started this one. */
export function parentOf(pid: number): number {
  return statOf(pid).parent
}

/** The CPU time of a process, in milliseconds. */
export function processCpuMs(pid: number): number {
  return statOf(pid).ownMs
}

/** The memory of a process that is in RAM, in bytes. */
export function residentBytes(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024
}

/** The CPU time of a process and of those that it has started, in milliseconds. */
export function familyCpuMs(pid: number): number {
  const { ownMs, endedMs } = statOf(pid)
  const others = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const children = others.map((name) => {
    try {
      const { parent, ownMs } = statOf(name)
      return parent === pid ? ownMs : 0
    } catch {
      // It has ended in the meantime.
      return 0
    }
  })
  return ownMs + endedMs + children.reduce((sum, ms) => sum + ms, 0)
}
