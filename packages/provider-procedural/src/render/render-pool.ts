import { workerPool, type WorkerPool } from '@genmount/worker-tasks'
import type { RenderOrder, RenderReply } from './render-order.ts'

// In dist every entry lies beside every other; in the source the worker lies one folder up.
const script = new URL(
  import.meta.url.endsWith('.ts') ? '../render-worker.ts' : './render-worker.js',
  import.meta.url,
)

/** Threads that render. */
export function renderPool(threads: number): WorkerPool<RenderOrder, RenderReply> {
  return workerPool(script, threads)
}
