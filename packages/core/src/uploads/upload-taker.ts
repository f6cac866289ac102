import { type WatchedBody, watchedBody } from '../bytes/watched-body.ts'
import type { PluginHost } from '../contracts/plugin/plugin-host.ts'
import { type FileRoom, longestArrivalMs } from '../contracts/plugin/file-rooms.ts'
import { filesUnavailable, GenerationError } from '../errors/generation-error.ts'
import { withinLimit } from '../pacing/within-limit.ts'
import { sharedRoom } from '../sharing/shared-room.ts'
import { tally } from '../pacing/ending.ts'
import { isJudged, mediaTypeOf } from '../text/media-type.ts'
import type { CheckedUploadOptions } from './upload-options.ts'
import { newUploadId, type UploadId, uploadKeyOf, uploadUrl } from './upload-reference.ts'
import type { Uploads } from '../contracts/plugin/uploads.ts'

const hourMs = 60 * 60_000
/** How long the file store may take to describe a file that it has just stored, in milliseconds. */
const lookLimitMs = 5000

/** Takes uploads. */
export interface UploadTaker extends Pick<Uploads, 'store'> {
  /** Resolves when no upload is arriving. */
  settled(): Promise<void>
}

/** Makes the part of a service that stores uploads. */
export function uploadTaker(
  { maxBytes, retentionHours, maxAtOnce }: CheckedUploadOptions,
  { files, clock, closing, fileRooms }: PluginHost,
): UploadTaker {
  const places = sharedRoom(maxAtOnce)
  const comingIn = tally()

  function takePlace(owner: string): () => void {
    if (closing.hasEnded) throw shuttingDown()
    if (!places.fits(1) || !places.mayHave(owner, 1))
      throw new GenerationError('capacity_exceeded', 'Too many files are being uploaded. Try again.')
    places.add(owner, 1)
    comingIn.begin()
    return () => {
      places.add(owner, -1)
      comingIn.end()
    }
  }

  const store: Uploads['store'] = async (owner, body, announced) => {
    let room: FileRoom | undefined
    let admit: (bytes: number) => Promise<void> | undefined = () => undefined
    const watched = watchedBody(body, maxBytes, (bytes) => admit(bytes))
    let letGo = () => {}
    let takeBack = letGo
    try {
      letGo = takePlace(owner)
      takeBack = closing.onEnd(() => watched.end(shuttingDown()))
      const upload = idFor(await watched.beginning(isJudged))
      const key = await uploadKeyOf(owner, upload)
      room = fileRooms()?.take({ owner, key, expiresAt: upload.expiresAt })
      if (room) admit = holding(room, watched, announced?.bytes)
      const details = { owner, expectedBytes: Math.max(announced?.bytes ?? 0, watched.size()) }
      const put = () => files.put(key, watched.stream, upload.contentType, details)
      await withinLimit(clock, longestArrivalMs, 'file store', put).catch((fault: unknown) => {
        // A store may wrap the error of the stream in an error of its own.
        throw watched.fault() ?? (fault instanceof GenerationError ? fault : filesUnavailable(fault))
      })
      await room?.keep(watched.size()).catch(async (fault: unknown) => {
        await remove(key)
        throw fault
      })
      const { id, contentType, expiresAt } = upload
      const createdAt = expiresAt - retentionHours * hourMs
      const content = { contentType, bytes: watched.size(), sha256: await sha256Of(key) }
      return { id, url: uploadUrl(upload), ...content, createdAt, expiresAt }
    } catch (fault) {
      watched.end(fault)
      // If the store fails here too, the reservation ends after two hours.
      await room?.giveBack().catch(() => {})
      throw fault
    } finally {
      takeBack()
      letGo()
    }
  }

  function idFor(beginning: Uint8Array): UploadId {
    if (beginning.byteLength === 0)
      throw new GenerationError('invalid_request', 'The request body is empty. Send the bytes of the file.')
    const upload = newUploadId(clock.now() + retentionHours * hourMs, mediaTypeOf(beginning))
    if (upload) return upload
    throw new GenerationError(
      'unsupported_media_type',
      'The first bytes are not those of a picture, film or sound that the service knows, such as PNG, JPEG, WebP, GIF, AVIF, HEIC, TIFF, MP4, QuickTime, WebM, MP3, WAV, Ogg, FLAC or M4A.',
    )
  }

  /** If an upload could not be counted, its client never gets the id. So its file must be deleted. */
  async function remove(key: string): Promise<void> {
    await withinLimit(clock, lookLimitMs, 'file store', () => files.delete(key)).catch(() => {})
  }

  async function sha256Of(key: string): Promise<string | undefined> {
    const look = withinLimit(clock, lookLimitMs, 'file store', () => files.open?.(key))
    return (await look.catch(() => undefined))?.sha256
  }

  return { store, settled: comingIn.settled }
}

/**
 * Reserves room for the announced length at once, and more room when more bytes arrive. The next read begins before the
 * reservation has ended, because Bun notices only during a read that the client has gone.
 */
function holding(room: FileRoom, watched: WatchedBody, announced = 0): (bytes: number) => Promise<void> {
  const first = room.hold(Math.max(announced, watched.size()))
  first?.catch(watched.end)
  return async (bytes) => {
    await first
    await room.hold(bytes)
  }
}

function shuttingDown(): GenerationError {
  return new GenerationError('shutting_down', 'The service is shutting down.')
}
