import type { FileFetch, ProviderReport } from '@genmount/core'
import { pictureBudget } from './picture-budget.ts'
import { type PictureType, pictureUri } from './picture-uri.ts'
import { type Picture, PictureError, pictureFailure, readPicture } from './read-picture.ts'

/** How the pictures of a task are read, and how much room they need. */
export interface PictureReading {
  /** The types of pictures that are accepted. */
  readonly types: readonly PictureType[]
  /** Fetches the URLs: `guardedFetch`, or a function like it. */
  readonly fetchFile: FileFetch
  /** Aborting it stops the waiting and the fetching. */
  readonly signal: AbortSignal
  /** The provider's name. Providers take turns when tasks wait for room. */
  readonly line: string
  /**
   * The owner of the task. Owners take turns when tasks wait for room. An owner whose tasks already hold pictures gets
   * more room only if at least as much stays free for the others as this owner then holds.
   */
  readonly owner: string | undefined
  /** How many tasks of this line may hold pictures at the same time. @default as many as fit */
  readonly atOnce?: number | undefined
  /**
   * How many copies of the bytes exist at the same time while `work` runs, the picture itself included. The others are,
   * for example, its base64 text and the body of a request.
   * @default 1
   */
  readonly copies?: number | undefined
  /** How long to wait for room, in milliseconds. @default until `signal` aborts */
  readonly patienceMs?: number | undefined
}

/** There was no room for a task's pictures in time. Nothing has been fetched or spent. */
class NoRoomError extends Error {
  override readonly name = 'NoRoomError'
}

/** One budget for all pictures in this process, with their copies. */
const budget = pictureBudget(256, 256 * 1024 * 1024)

/** How much of the common budget the pictures of this process use at present. It is read live. */
export const picturesInMemory: {
  /** How many tasks hold pictures. */
  readonly tasks: number
  /** The bytes that are reserved for their pictures, copies included. */
  readonly bytes: number
} = budget.taken

const maxPictureBytes = 20 * 1024 * 1024
/**
 * Most pictures are smaller than this. A larger one is fetched a second time, with room for a picture of the largest
 * size.
 */
const usualBytes = 2 * 1024 * 1024
/**
 * How long reading all pictures of a task may take. A provider call has a minute, so 15 s are left for the request to
 * the vendor.
 */
const readingMs = 45_000

/**
 * Reads the pictures of a task and calls `work` with them. It first waits for room in the budget that all providers of
 * this process share: 256 MiB and 256 tasks. The room is given back when `work` settles, so `work` must not keep the
 * pictures. A picture from a URL may have 20 MiB. All pictures of a task, with their copies, may use the whole budget.
 * @param sources http(s) URLs or data URIs
 * @returns what `work` returns
 * @throws PictureError when a picture cannot be fetched or decoded, or when they are too large together
 * @throws an error that `pictureRefusal` turns into a report, when there is no room within `patienceMs`
 * @throws the reason of `signal`, when `signal` aborts, and whatever `work` throws
 * @example
 * const reading = { types, fetchFile: guardedFetch, signal, line: 'mine', owner: task.owner }
 * await withPictures([input.image], reading, async ([picture]) => send(picture))
 */
export async function withPictures<T, const Sources extends readonly string[]>(
  sources: Sources,
  reading: PictureReading,
  work: (pictures: { readonly [Index in keyof Sources]: Picture }) => Promise<T>,
): Promise<T> {
  const { line, owner, atOnce, copies = 1, patienceMs, signal } = reading
  if (sources.length === 0) return work([] as never)
  const ownBytes = sources.map((source) => decodedBytes(source))
  const urls = ownBytes.filter((bytes) => bytes === undefined).length
  const inline = ownBytes.reduce<number>((sum, bytes) => sum + (bytes ?? 0), 0)
  const left = Math.floor((Math.floor(budget.maxBytes / copies) - inline) / Math.max(1, urls))
  if (left < 0) throw new PictureError('All pictures together are too large.')
  const largest = Math.min(maxPictureBytes, left)

  let leftMs = readingMs
  for (const maxBytes of new Set([Math.min(usualBytes, largest), largest])) {
    const bytes = (inline + urls * maxBytes) * copies
    const share = await takeSoon({ line, owner, bytes, atOnce }, signal, patienceMs)
    try {
      const beganAt = performance.now()
      const pictures = await readAll(sources, reading, maxBytes, leftMs).catch((error: unknown) => {
        if (maxBytes < largest && mayBeTooLarge(error)) return undefined
        throw error
      })
      leftMs -= performance.now() - beganAt
      if (!pictures) continue
      share.shrinkTo(copies * pictures.reduce((sum, picture) => sum + picture.bytes.byteLength, 0))
      return await work(pictures as never)
    } finally {
      share.release()
    }
  }
  throw new Error('Unreachable: the last try either returns or throws.')
}

/**
 * The report on a submit whose pictures could not be read (`failed`), or found no room in time (`refused`, so that the
 * service submits again later). Nothing has been sent to the vendor.
 * @throws `error` itself, when it is neither of these
 */
export function pictureRefusal(error: unknown): Extract<ProviderReport, { state: 'failed' | 'refused' }> {
  if (!(error instanceof NoRoomError)) return pictureFailure(error)
  return { state: 'refused', message: 'Too many pictures are being read at present.', retryAfterMs: 2000 }
}

/** How many bytes a data URI contains; `undefined` for a URL. */
function decodedBytes(source: string): number | undefined {
  const uri = pictureUri(source)
  return uri && Math.ceil((uri.base64.length * 3) / 4)
}

async function takeSoon(
  wish: Parameters<typeof budget.take>[0],
  signal: AbortSignal,
  patienceMs: number | undefined,
) {
  if (patienceMs === undefined) return budget.take(wish, signal)
  const over = new AbortController()
  const timer = setTimeout(
    () => over.abort(new NoRoomError('There is no room for more pictures.')),
    patienceMs,
  )
  return budget.take(wish, AbortSignal.any([signal, over.signal])).finally(() => clearTimeout(timer))
}

async function readAll(
  sources: readonly string[],
  { types, fetchFile, signal, owner }: PictureReading,
  maxBytes: number,
  leftMs: number,
): Promise<readonly Picture[]> {
  // When one picture fails, the reading of the others stops as well.
  const stop = new AbortController()
  const late = new PictureError(`The pictures could not be fetched within ${readingMs / 1000} seconds.`)
  const timer = setTimeout(() => stop.abort(late), leftMs)
  const either = AbortSignal.any([signal, stop.signal])
  const fetchForOwner: FileFetch = (url, limits) => fetchFile(url, { ...limits, owner })
  try {
    const reads = sources.map((source) => readPicture(source, types, fetchForOwner, either, maxBytes))
    return await Promise.all(reads)
  } finally {
    clearTimeout(timer)
    stop.abort()
  }
}

/**
 * Whether a picture may have been larger than the limit. `guardedFetch` says so in the reason of its error. An error of
 * another function has no reason, and may have this cause.
 */
function mayBeTooLarge(error: unknown): boolean {
  if (!(error instanceof PictureError) || error.cause === undefined) return false
  const { reason = 'too_large', retryable } = error.cause as { reason?: unknown; retryable?: unknown }
  return reason === 'too_large' && retryable !== true
}
