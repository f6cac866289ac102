import { workerPool, type WorkerPool } from '@genmount/provider-kit/workers'
import type { RenderOrder, RenderReply } from './render-order.ts'

// In dist the worker lies in the same folder as this module. In the source it lies one folder up.
const script = new URL(
  import.meta.url.endsWith('.ts') ? '../render-worker.ts' : './render-worker.js',
  import.meta.url,
)

/** Makes the worker threads that render. */
export function renderPool(threads: number): WorkerPool<RenderOrder, RenderReply> {
  return workerPool(script, threads)
}
