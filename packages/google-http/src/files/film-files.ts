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
import { refusedPoll } from '../answers/google-failure.ts'
import type { GoogleClient, TaskFetching } from '../client/google-client.ts'
import { googleFile } from './google-file.ts'

/** A film in an answer: a file that can be read only with the API key, or base64. */
export interface MadeFilm {
  /** The URL of the file. */
  readonly uri?: string | null | undefined
  /** The film itself, in base64. */
  readonly data?: string | null | undefined
}

/** The limits of each film. A provider call has 300 s. */
const limits = { maxBytes: 512 * 1024 * 1024, timeoutMs: 280_000 }
const maxRedirects = 3

/**
 * Downloads films, because their links need the API key, which clients must not see. The key is sent only to the API's
 * own origin, and never to another origin that it redirects to. A film that is missing is omitted, because the others
 * are paid for.
 * @returns the films; a `failed` report when there is none; a `refused` report when Google asks to wait (429); an
 *   `unknown` report when Google does not deliver a film that it has made
 * @throws Error when the connection breaks, or after a status such as 500: a later poll may succeed
 */
export async function filmFiles(
  films: readonly MadeFilm[],
  client: GoogleClient,
  fetching: TaskFetching,
): Promise<readonly Output[] | FailedReport | UnknownReport | RefusedReport> {
  const outputs: Output[] = []
  let fault: FailedReport | undefined
  for (const { uri, data } of films) {
    const made = data ? decoded(data) : await fileAt(uri, client, fetching)
    if (!('state' in made)) outputs.push({ bytes: made })
    else if (made.state === 'failed') fault ??= made
    else return made
  }
  return outputs.length > 0 ? outputs : (fault ?? outputs)
}

type File = Uint8Array | FailedReport | UnknownReport | RefusedReport

function decoded(data: string): File {
  const bytes = Buffer.from(data, 'base64')
  return bytes.byteLength > 0 ? bytes : failed('output_invalid', 'The film that Google sent is empty.')
}

async function fileAt(uri: MadeFilm['uri'], client: GoogleClient, fetching: TaskFetching): Promise<File> {
  return uri
    ? downloaded(googleFile(uri, client).content, client, fetching)
    : unfetchable('the answer does not say where it is.')
}

async function downloaded(
  url: string,
  client: GoogleClient,
  fetching: TaskFetching,
  redirects = 0,
): Promise<File> {
  if (URL.parse(url)?.origin !== client.origin) return foreignFile(url, client, fetching)
  try {
    const { maxBytes } = limits
    const answer = await client.ask({ method: 'GET', path: url, maxBytes, signal: fetching.signal })
    if (answer.ok) return answer.bytes
    return isPassing(answer.status) || answer.status === 410
      ? refusedPoll(answer)
      : withheld(client.origin, answer.status)
  } catch (error) {
    if (error instanceof AnswerTooLargeError) return unfetchable(error.message)
    if (!(error instanceof RedirectError)) throw error
    const { location = '' } = error
    if (redirects === maxRedirects) return unfetchable(`${client.origin} redirects too often.`)
    if (url.startsWith('https:') && !location.startsWith('https:'))
      return unfetchable(`${client.origin} redirects to a URL without https.`)
    return downloaded(location, client, fetching, redirects + 1)
  }
}

/** Fetches a file at another origin, without the key. */
async function foreignFile(url: string, { fetchFile }: GoogleClient, fetching: TaskFetching): Promise<File> {
  try {
    return await (await fetchFile(url, { ...limits, ...fetching })).bytes()
  } catch (error) {
    if (!(error instanceof FetchRefusedError) || error.retryable) throw error
    if (error.status === undefined) return unfetchable(error.message)
    return error.status === 410
      ? failed('provider_lost', 'Google has removed the film.')
      : withheld(String(URL.parse(url)?.origin), error.status)
  }
}

function isPassing(status: number): boolean {
  return status === 408 || status === 429 || status >= 500
}

/**
 * The report on a film that Google does not deliver. The service polls a few times more, and then reports that the
 * video is lost. The key can't be the reason, because the API has just accepted it.
 */
function withheld(origin: string, status: number): UnknownReport {
  return unknownNow(
    `The film is made, but ${origin} does not give it out: it answered with status ${status}.`,
  )
}

function unfetchable(why: string): FailedReport {
  return failed('output_invalid', `The film cannot be fetched: ${why}`)
}
