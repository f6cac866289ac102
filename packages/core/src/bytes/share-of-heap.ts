/** What an isolate of Cloudflare Workers has: https://developers.cloudflare.com/workers/platform/limits/#memory */
const workerBytes = 128 * 1024 * 1024

interface V8 {
  getHeapStatistics?(): { readonly total_available_size: number }
}

/**
 * How many bytes something may take of the memory that JavaScript objects share in this process.
 *
 * On Node and Deno, ask for an eighth at most: V8 also counts room for objects that live briefly into what is free, which
 * may be two thirds of it.
 * @param part the part of the heap that is free now
 * @param most the most bytes, however large the heap is
 * @returns whole bytes; `most` where the runtime does not tell how large the heap may become
 * @example const maxBytes = shareOfHeap(1 / 8, 256 * 1024 * 1024)
 */
export function shareOfHeap(part: number, most: number): number {
  return Math.min(most, Math.floor(freeHeap() * part))
}

function freeHeap(): number {
  const host = globalThis as {
    process?: { getBuiltinModule?(name: 'node:v8'): V8 | undefined }
    navigator?: { userAgent?: string }
  }
  if (host.navigator?.userAgent === 'Cloudflare-Workers') return workerBytes
  // On Bun, whose heap has no limit, this is the memory of the machine.
  const free = host.process?.getBuiltinModule?.('node:v8')?.getHeapStatistics?.().total_available_size
  return free || Number.POSITIVE_INFINITY
}
