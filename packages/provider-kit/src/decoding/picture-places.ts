import { availableParallelism } from 'node:os'
import process from 'node:process'
import { workerData } from 'node:worker_threads'

/** The places for native work on pictures. All threads of the process share their memory. */
export interface PicturePlaces {
  /** Who has each place: the number of a thread, or 0. */
  readonly holders: Int32Array<SharedArrayBuffer>
  /** The number of this thread. */
  readonly thread: number
}

const key = 'genmountPicturePlaces'

/** The places of this thread, which has got them from the thread that has started it, or is the first one. */
export const picturePlaces: PicturePlaces = (
  workerData as { readonly [key]?: PicturePlaces } | null | undefined
)?.[key] ?? {
  holders: new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT * places())),
  thread: 1,
}

let threads = picturePlaces.thread

/**
 * The number of a new thread, and what it gets as its `workerData`, so that it shares the places of this process.
 */
export function sharedPlaces(): {
  readonly thread: number
  readonly data: Readonly<Record<string, unknown>>
} {
  const thread = ++threads
  return { thread, data: { [key]: { holders: picturePlaces.holders, thread } } }
}

/** Frees the places of a thread that has ended. */
export function freePlacesOf(thread: number): void {
  const { holders } = picturePlaces
  for (let place = 0; place < holders.length; place++) Atomics.compareExchange(holders, place, thread, 0)
}

/**
 * Two of the threads on which the runtime does native work also read files and look up names for everybody:
 * https://docs.libuv.org/en/v1.x/threadpool.html. On Bun there are as many as cores, at least two. Deno makes new ones.
 */
function places(): number {
  const { bun, deno } = process.versions
  const usual = bun === undefined ? 4 : Math.max(2, availableParallelism())
  const nativeThreads = (deno === undefined && Number(process.env['UV_THREADPOOL_SIZE'])) || usual
  return Math.max(1, Math.min(1024, nativeThreads) - 2)
}
