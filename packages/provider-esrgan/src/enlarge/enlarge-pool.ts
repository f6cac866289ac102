import { workerPool, type WorkerPool } from '@genmount/provider-kit/workers'
import type { EnlargeOrder, EnlargeReply } from './enlarge-order.ts'

// In dist the worker lies in the same folder as this module. In the source it lies one folder up.
const script = new URL(
  import.meta.url.endsWith('.ts') ? '../enlarge-worker.ts' : './enlarge-worker.js',
  import.meta.url,
)

/** Makes the worker threads that enlarge pictures. */
export function enlargePool(threads: number): WorkerPool<EnlargeOrder, EnlargeReply> {
  return workerPool(script, threads)
}
