import { workerPool, type WorkerPool } from '@genmount/worker-tasks'
import type { EnlargeOrder, EnlargeReply } from './enlarge-order.ts'

// In dist every entry lies beside every other; in the source the worker lies one folder up.
const script = new URL(
  import.meta.url.endsWith('.ts') ? '../enlarge-worker.ts' : './enlarge-worker.js',
  import.meta.url,
)

/** Threads that enlarge. */
export function enlargePool(threads: number): WorkerPool<EnlargeOrder, EnlargeReply> {
  return workerPool(script, threads)
}
