import type { FileFetch, ProviderReport } from '@genmount/core'
import { pictureBudget } from './picture-budget.ts'
import { type PictureType, pictureUri } from './picture-uri.ts'
import { type Picture, PictureError, pictureFailure, readPicture } from './read-picture.ts'

export interface PictureReading {
  readonly types: readonly PictureType[]
  /** `guardedFetch`, or a function like it. */
  readonly fetchFile: FileFetch
  readonly signal: AbortSignal
  /** The provider's name: providers take turns. */
  readonly line: string
  /** The task's: owners take turns, and one that has pictures gets no more room than is left for all others. */
  readonly owner: string | undefined
  /** How many tasks of this line may have pictures at a time. @default as many as find room */
  readonly atOnce?: number | undefined
  /** How often `work` holds the bytes at a time, as base64 or within a request, the picture itself included. @default 1 */
  readonly copies?: number | undefined
  /** How long to wait for room, in milliseconds. @default until `signal` aborts */
  readonly patienceMs?: number | undefined
}

/** There was no room for a task's pictures. Nothing has been fetched or spent. */
class NoRoomError extends Error {
  override readonly name = 'NoRoomError'
}

/** All pictures of this process together, with the copies that are made of them. */
const budget = pictureBudget(256, 256 * 1024 * 1024)

/** What the pictures of all tasks in this process take of their common budget at present. */
export const picturesInMemory: { readonly tasks: number; readonly bytes: number } = budget.taken

const maxPictureBytes = 20 * 1024 * 1024
/** Most pictures are smaller. A larger one is fetched again when there is room for one of the largest size. */
const usualBytes = 2 * 1024 * 1024
/** For all pictures of a task together, so that a call, which has a minute, can still be made. */
const readingMs = 45_000

/**
 * Gives the pictures of a task, behind URLs or in data URIs, to `work`, once there is room for them in the budget that all
 * providers of this process share: 256 MiB and 256 tasks. The room is free again when `work` has settled, which must not
 * keep them. A picture may have 20 MiB, and those of one task together with their copies as much as the budget.
 * @throws PictureError when one is not to be had; what `work` throws; the reason of `signal` when that aborts
 * @example
 * withPictures([input.image], { types, fetchFile: guardedFetch, signal, line: 'mine', owner: task.owner }, async ([picture]) => send(picture))
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
  if (left < 0) throw new PictureError('The pictures are too large together.')
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
  throw new Error('The largest size is tried last, and ends above.')
}

/**
 * What to report of a submit whose pictures could not be had, or found no room for the time being.
 * @throws any other error
 */
export function pictureRefusal(error: unknown): Extract<ProviderReport, { state: 'failed' | 'refused' }> {
  if (!(error instanceof NoRoomError)) return pictureFailure(error)
  return { state: 'refused', message: 'Too many pictures are being read at present.', retryAfterMs: 2000 }
}

/** What a data URI holds, in bytes; `undefined` for a URL. */
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
  // The others are not read on when one is not to be had.
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

/** `guardedFetch` says it; an error of anybody else's fetch may mean it. */
function mayBeTooLarge(error: unknown): boolean {
  if (!(error instanceof PictureError) || error.cause === undefined) return false
  const { reason = 'too_large', retryable } = error.cause as { reason?: unknown; retryable?: unknown }
  return reason === 'too_large' && retryable !== true
}
