import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import process from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'

/** What a process holds. */
export interface Holdings {
  /** Of sockets and the like their kind, of files their path. */
  readonly descriptors: readonly string[]
  /** How many threads of `node:worker_threads`. All other threads are the runtime's, which starts and ends them by load. */
  readonly workers: number
  /** By https://nodejs.org/api/process.html#processgetactiveresourcesinfo, where the runtime tells. */
  readonly resources: readonly string[]
  /** In use after everything that can be collected has been. */
  readonly heapBytes: number
}

/** Takes stock, once what was let go of is really gone. */
export async function takeStock(): Promise<Holdings> {
  const { gc } = globalThis as { gc?: () => void }
  if (!gc) throw new Error('Run it with --expose-gc.')
  for (let round = 0; round < 4; round++) {
    await delay(50)
    gc()
  }
  return {
    descriptors: descriptors(),
    workers: workers(),
    resources: (process.getActiveResourcesInfo?.() ?? []).toSorted(),
    heapBytes: process.memoryUsage().heapUsed,
  }
}

/** The workers are known by the names that Node (WorkerThread), Deno (worker-1) and Bun (Worker) give to their threads. */
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

/** What each open file descriptor is of. */
export function descriptors(): readonly string[] {
  const targets = readdirSync('/proc/self/fd').map((descriptor) => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`)
    } catch {
      // The one that the folder itself was read by.
      return undefined
    }
  })
  const kinds = targets.flatMap((target) => target?.replace(/:\[\d+\]$/, '') ?? [])
  return kinds.filter((kind) => !kind.startsWith('/proc/')).toSorted()
}
