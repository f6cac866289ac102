import type { FileFetch, Json, JsonObject, ProviderReport } from '@genmount/core'
import { recordOf, type VendorClient } from '@genmount/provider-kit'

/** A server with `/videos`, and how it is reached. */
export interface VideoServer {
  /** The name of the server, for the owners of jobs. */
  readonly vendor: string
  /** The address of the API. The key is sent only to its origin. */
  readonly baseUrl: string
  /** Sends one request with the key. */
  readonly ask: VendorClient['ask']
  /** Fetches films that are at other origins and have no public https URL, without the key. */
  readonly fetchFile: FileFetch
}

/** How long one call may take, in milliseconds: a poll may download a film. */
export const videosCallTimeoutMs = 300_000

/** The largest answer beside that with a film, in bytes: an answer may repeat the pictures of the input. */
export const maxAnswerBytes = 64 * 1024 * 1024

/**
 * The handle of a film by its id at the server; `undefined` when this can't be an id. Gateways put much into an id, also
 * base64, but never what leads to another path.
 */
export function videoHandle(id: unknown): JsonObject | undefined {
  const isId = typeof id === 'string' && /^(?!\.{1,2}$)[\x21-\x7e]{1,1024}$/.test(id)
  // Releases before this one read `video`. Operators find the job by `id`.
  return isId ? { id, video: id } : undefined
}

/** The path of a film by its handle; `undefined` when the handle names none. */
export function videoPath(handle: Json | undefined): string | undefined {
  const { video } = recordOf(handle)
  return videoHandle(video) && `/videos/${encodeURIComponent(String(video))}`
}

/** The report on a handle that names no film. */
export function unknownVideo(vendor: string): ProviderReport {
  return { state: 'unknown', message: `The handle of this job does not name a video of ${vendor}.` }
}
