import { Buffer } from 'node:buffer'
import type { Output } from '@genmount/core'
import { FetchRefusedError } from '@genmount/guarded-fetch'
import {
  AnswerTooLargeError,
  failed,
  type FailedReport,
  RedirectError,
  type RefusedReport,
  unknownNow,
  type UnknownReport,
} from '@genmount/vendor-http'
import { refusedPoll } from './google-failure.ts'
import type { GoogleApi, TaskFetching } from './google-api.ts'

/** A video in an answer: a file that opens only with the API key, or base64. */
export interface MadeVideo {
  readonly uri?: string | undefined
  readonly encodedVideo?: string | undefined
}

/** The limits of each video. A provider call has 300 s. */
const limits = { maxBytes: 512 * 1024 * 1024, timeoutMs: 280_000 }
const maxRedirects = 3

/**
 * Downloads videos, because their links open only with the API key, which clients must not see. The key is sent only to
 * the API's own origin, and never to another origin that it redirects to.
 * @returns the videos, or a report when they are not there any more or cannot be fetched
 * @throws Error when the download may succeed later
 */
export async function downloadVideos(
  videos: readonly MadeVideo[],
  api: GoogleApi,
  fetching: TaskFetching,
): Promise<readonly Output[] | FailedReport | UnknownReport | RefusedReport> {
  const outputs: Output[] = []
  for (const video of videos) {
    const made = await videoOf(video, api, fetching)
    if ('state' in made) return made
    outputs.push({ bytes: made })
  }
  return outputs
}

type File = Uint8Array | FailedReport | UnknownReport | RefusedReport

async function videoOf(
  { uri, encodedVideo }: MadeVideo,
  api: GoogleApi,
  fetching: TaskFetching,
): Promise<File> {
  if (encodedVideo !== undefined) return Buffer.from(encodedVideo, 'base64')
  return uri
    ? downloaded(addressOf(uri, api), api, fetching)
    : unfetchable('the answer does not say where it is.')
}

/**
 * Where a file is. Gateways repeat Google's own addresses in their answers, although the key of the gateway opens no
 * file at Google. The gateway passes such a file on under the same path.
 */
export function addressOf(uri: string, { baseUrl }: GoogleApi): string {
  const base = `${baseUrl.replace(/\/$/, '')}/`
  const path = /^https:\/\/generativelanguage\.googleapis\.com\/v1\w*\/(.+)$/.exec(uri)?.[1]
  return path === undefined ? (URL.parse(uri, base)?.href ?? uri) : `${base}${path}`
}

async function downloaded(url: string, api: GoogleApi, fetching: TaskFetching, redirects = 0): Promise<File> {
  if (URL.parse(url)?.origin !== api.origin) return foreignFile(url, api, fetching)
  try {
    const { maxBytes } = limits
    const answer = await api.ask({ method: 'GET', path: url, maxBytes, signal: fetching.signal })
    if (answer.ok) return answer.bytes
    return isPassing(answer.status) || answer.status === 410
      ? refusedPoll(answer)
      : withheld(api.origin, answer.status)
  } catch (error) {
    if (error instanceof AnswerTooLargeError) return unfetchable(error.message)
    if (!(error instanceof RedirectError)) throw error
    const { location = '' } = error
    if (redirects === maxRedirects) return unfetchable(`${api.origin} redirects too often.`)
    if (url.startsWith('https:') && !location.startsWith('https:'))
      return unfetchable(`${api.origin} redirects to a place without https.`)
    return downloaded(location, api, fetching, redirects + 1)
  }
}

/** Fetches a file at another origin, without the key. */
async function foreignFile(url: string, { fetchFile }: GoogleApi, fetching: TaskFetching): Promise<File> {
  try {
    return await (await fetchFile(url, { ...limits, ...fetching })).bytes()
  } catch (error) {
    if (!(error instanceof FetchRefusedError) || error.retryable) throw error
    if (error.status === undefined) return unfetchable(error.message)
    return error.status === 410
      ? failed('provider_lost', 'Google has removed the video.')
      : withheld(String(URL.parse(url)?.origin), error.status)
  }
}

function isPassing(status: number): boolean {
  return status === 408 || status === 429 || status >= 500
}

/**
 * The file is not given out. The service asks a few times more, and then tells that the video is lost. The key is not
 * the reason: the API has just accepted it.
 */
function withheld(origin: string, status: number): UnknownReport {
  return unknownNow(
    `The video is made, but ${origin} does not give it out: it answered with status ${status}.`,
  )
}

function unfetchable(why: string): FailedReport {
  return failed('output_invalid', `The video cannot be fetched: ${why}`)
}
