import type { JsonObject, ProviderReport } from '@genmount/core'
import { FetchRefusedError } from '@genmount/guarded-fetch'
import {
  type AnsweredFile,
  type AnswerFiles,
  answerFiles,
  AnswerTooLargeError,
  failed,
  listedFiles,
  numberIn,
  RedirectError,
  type ReportOf,
} from '@genmount/provider-kit'
import type { GoogleClient, TaskFetching } from '../client/google-client.ts'
import { googleFile } from './google-file.ts'

/** Links to films open only with the API key, so this process fetches them from wherever they are. */
const anyLink = (link: string): string | undefined =>
  /^gs:/i.test(link) ? 'is in a bucket that this service cannot read' : undefined

/** The films in a part of an answer: links that {@link filmsReport} can fetch, and films in base64. */
export function filmsIn(part: unknown, at: string): AnswerFiles {
  return answerFiles(part, { kind: 'video', linkFault: anyLink }, at)
}

/** The limits of each film. A provider call has 300 s. */
const limits = { maxBytes: 512 * 1024 * 1024, timeoutMs: 280_000 }
const maxRedirects = 3

/** How many polls wait for a film that Google does not deliver, while it delivers the others, and how long each. */
const patience = { polls: 3, pauseMs: 10_000 }

/** A finished task and its handle. */
export type FinishedFilms = Parameters<AnswerFiles['report']>[0] & {
  /** The handle of the task. Its `doubts` count the polls that have waited for a film. */
  readonly handle: JsonObject
}

/**
 * Downloads the films of a finished task and reports them, because their links need the API key, which clients must not
 * see. The key is sent only to the API's own origin, and never to another origin that it redirects to. A film that can't
 * be fetched is left out, because the others are paid for.
 * @returns also a `refused` report when Google asks to wait (429), and an `unknown` one when Google delivers no film that
 *   it has made
 * @throws Error when the connection breaks, or after a status such as 500: a later poll may succeed
 */
export async function filmsReport(
  films: AnswerFiles,
  client: GoogleClient,
  fetching: TaskFetching,
  { handle, ...task }: FinishedFilms,
): Promise<ProviderReport> {
  const list: AnsweredFile[] = []
  let fault: ReportOf<'failed' | 'unknown'> | undefined
  for (const film of films.list) {
    const { at, output } = film
    const made = output && 'url' in output ? await fileAt(output.url, client, fetching) : undefined
    if (made === undefined) list.push(film)
    else if (!('state' in made)) list.push({ at, output: { bytes: made } })
    else if (made.state === 'refused') return made
    else {
      if (fault?.state !== 'unknown') fault = made
      list.push({ at, fault: `cannot be delivered: ${made.message}` })
    }
  }
  const files = listedFiles(list)
  if (fault && !files.hasOutput) return { ...fault, costUsd: task.costUsd }
  const doubts = numberIn(handle['doubts']) ?? 0
  if (fault?.state === 'unknown' && doubts < patience.polls)
    return { state: 'running', handle: { ...handle, doubts: doubts + 1 }, pollAfterMs: patience.pauseMs }
  return files.report(task)
}

type File = Uint8Array | ReportOf<'failed' | 'unknown' | 'refused'>

function fileAt(uri: string, client: GoogleClient, fetching: TaskFetching): Promise<File> {
  return downloaded(googleFile(uri, client).content, client, fetching)
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
      ? answer.pollFailure()
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
function withheld(origin: string, status: number): ReportOf<'unknown'> {
  return {
    state: 'unknown',
    message: `The film is made, but ${origin} does not give it out: it answered with status ${status}.`,
  }
}

function unfetchable(why: string): ReportOf<'failed'> {
  return failed('output_invalid', `The film cannot be fetched: ${why}`)
}
