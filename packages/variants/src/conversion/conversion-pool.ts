import { workerPool, type WorkerPool } from '@genmount/provider-kit/workers'
import type { ConversionOrder, ConversionReply } from './conversion-order.ts'

// In dist the worker lies in the same folder as this module. In the source it lies one folder up.
const script = new URL(
  import.meta.url.endsWith('.ts') ? '../convert-worker.ts' : './convert-worker.js',
  import.meta.url,
)

/** Makes the worker threads that convert pictures. */
export function conversionPool(threads: number): WorkerPool<ConversionOrder, ConversionReply> {
  return workerPool(script, threads)
}
