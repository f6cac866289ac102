import { readdirSync, readFileSync, writeFileSync } from 'node:fs'

/** A number that the kernel keeps of this process, as it stands in /proc; 0 where there is none. */
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

/** From now on the kernel's peak of the resident memory is that of what comes: proc(5), clear_refs. */
export function forgetPeakRss(): void {
  try {
    writeFileSync('/proc/self/clear_refs', '5')
  } catch {
    // Elsewhere the samples have to do.
  }
}

/** How many files, sockets and pipes this process has open; 0 where the kernel does not tell. */
export function countHandles(): number {
  try {
    return readdirSync('/proc/self/fd').length
  } catch {
    return 0
  }
}
