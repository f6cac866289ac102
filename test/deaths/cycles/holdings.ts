import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import process from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'

export type Holdings = Awaited<ReturnType<typeof takeStock>>

/** Counts what the process holds, after garbage collection. */
export async function takeStock() {
  const { gc } = globalThis as { gc?: () => void }
  if (!gc) throw new Error('Run it with --expose-gc.')
  for (let round = 0; round < 4; round++) {
    await delay(50)
    gc()
  }
  return {
    descriptors: descriptors(),
    workers: workers(),
    /** As https://nodejs.org/api/process.html#processgetactiveresourcesinfo lists them. Empty where the runtime has no such list. */
    resources: (process.getActiveResourcesInfo?.() ?? []).toSorted(),
    heapBytes: process.memoryUsage().heapUsed,
  }
}

/**
 * How many threads of `node:worker_threads`. All other threads are the runtime's, which starts and ends them by load. The
 * workers are known by the names that Node (WorkerThread), Deno (worker-1) and Bun (Worker) give to their threads.
 */
function workers(): number {
  const names = readdirSync('/proc/self/task').map((thread) => {
    try {
      return readFileSync(`/proc/self/task/${thread}/comm`, 'utf8')
    } catch {
      // The thread has ended since the folder was read.
      return ''
    }
  })
  return names.filter((name) => /^(WorkerThread|worker-\d+|Worker)\n$/.test(name)).length
}

/** The path or kind of each open file descriptor. */
export function descriptors(): readonly string[] {
  const targets = readdirSync('/proc/self/fd').map((descriptor) => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`)
    } catch {
      // This descriptor was open only while the folder was read.
      return undefined
    }
  })
  const kinds = targets.flatMap((target) => target?.replace(/:\[\d+\]$/, '') ?? [])
  return kinds.filter((kind) => !kind.startsWith('/proc/')).toSorted()
}
