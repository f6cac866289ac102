import { type FileFetch, type JsonObject, mediaTypeOf, type ProviderReport } from '@genmount/core'
import { RedirectError } from '../client/redirect-error.ts'
import { AnswerTooLargeError, type VendorClient } from '../client/vendor-client.ts'
import { failed, type ReportOf } from '../client/vendor-failure.ts'
import { type AnswerFiles, listedFiles } from './answer-files.ts'
import type { AnsweredFile } from './answered-file.ts'
import type { FinishedTask } from './files-report.ts'
import { numberIn } from './number-in.ts'

/** From where the files of a task are fetched. */
export interface FetchedFiles {
  /** Sends one request with the key. */
  readonly ask: VendorClient['ask']
  /** The only origin to which the key is sent. */
  readonly origin: string
  /** Fetches files that are at other origins, without the key. */
  readonly fetchFile: FileFetch
  /** Aborting it stops the fetching. */
  readonly signal: AbortSignal
  /** The owner of the task. */
  readonly owner: string | undefined
}

/** A finished task and its handle. */
export interface FetchedTask extends FinishedTask {
  /** The handle of the task. Its `doubts` count the polls that have waited for a file. */
  readonly handle: JsonObject
}

/** The limits of each file. A provider whose `poll` fetches films needs a `callTimeoutMs` of 300 s. */
const limits = { accept: ['*/*'], maxBytes: 512 * 1024 * 1024, timeoutMs: 280_000 }
const maxRedirects = 3

/** How many polls wait for a file that has not come, or not as a file, and how long each. It is paid for. */
const patience = { polls: 3, pauseMs: 10_000 }

/**
 * Fetches the files of a finished task that open only with the key, which clients must not see, and reports them. The key
 * is sent only to `origin`, and never to another origin that it redirects to. A file that can't be fetched is left out,
 * because the others are paid for.
 * @param isFetched whether a link is fetched. Other links stay links
 * @returns also a `refused` report when the vendor asks to wait (429), a `running` one while a file may still appear, and
 *   an `unknown` one when the vendor gives out no file that it has made
 * @throws Error when the connection breaks, or after a status such as 500: a later poll may succeed
 */
export async function fetchedReport(
  files: AnswerFiles,
  source: FetchedFiles,
  { handle, ...task }: FetchedTask,
  isFetched: (url: string) => boolean = () => true,
): Promise<ProviderReport> {
  const list: AnsweredFile[] = []
  let fault: ReportOf<'failed' | 'unknown'> | undefined
  let isDoubtful = false
  for (const file of files.list) {
    const { at, output } = file
    const isToFetch = output !== undefined && 'url' in output && isFetched(output.url)
    const made = isToFetch ? await fetchedFile(output.url, source, task.vendor) : undefined
    if (made === undefined) list.push(file)
    else if ('state' in made) {
      if (made.state === 'refused') return made
      if (fault?.state !== 'unknown') fault = made
      list.push({ at, fault: `cannot be delivered: ${made.message}` })
      isDoubtful ||= made.code !== 'provider_lost'
    } else {
      list.push({ at, output: { bytes: made } })
      isDoubtful ||= mediaTypeOf(made) === undefined
    }
  }
  const fetched = listedFiles(list)
  // The service has a patience of its own with a task whose files are all unknown.
  if (fault?.state === 'unknown' && !fetched.hasOutput) return { ...fault, costUsd: task.costUsd }
  const doubts = numberIn(handle['doubts']) ?? 0
  if (isDoubtful && doubts < patience.polls)
    return { state: 'running', handle: { ...handle, doubts: doubts + 1 }, pollAfterMs: patience.pauseMs }
  return fault && !fetched.hasOutput ? { ...fault, costUsd: task.costUsd } : fetched.report(task)
}

/** The bytes of a file, or a report on the task. */
type File = Uint8Array | ReportOf<'failed' | 'refused'> | (ReportOf<'unknown'> & { readonly code?: never })

async function fetchedFile(url: string, source: FetchedFiles, vendor: string, redirects = 0): Promise<File> {
  const { ask, origin, signal } = source
  if (URL.parse(url)?.origin !== origin) return foreignFile(url, source, vendor)
  try {
    const answer = await ask({ method: 'GET', path: url, maxBytes: limits.maxBytes, signal })
    if (answer.ok) return answer.bytes
    return isPassing(answer.status) || answer.status === 410
      ? answer.pollFailure()
      : withheld(origin, answer.status)
  } catch (error) {
    if (error instanceof AnswerTooLargeError) return unfetchable(error.message)
    if (!(error instanceof RedirectError)) throw error
    const { location = '' } = error
    if (redirects === maxRedirects) return unfetchable(`${origin} redirects too often.`)
    if (url.startsWith('https:') && !location.startsWith('https:'))
      return unfetchable(`${origin} redirects to a URL without https.`)
    return fetchedFile(location, source, vendor, redirects + 1)
  }
}

/** Fetches a file at another origin, without the key. */
async function foreignFile(
  url: string,
  { fetchFile, signal, owner }: FetchedFiles,
  vendor: string,
): Promise<File> {
  try {
    const { body } = await fetchFile(url, { ...limits, signal, owner })
    return new Uint8Array(await new Response(body as BodyInit).arrayBuffer())
  } catch (error) {
    signal.throwIfAborted()
    const { retryable, status, message } = error as Error & { retryable?: boolean; status?: number }
    if (retryable !== false) throw error
    if (status === undefined) return unfetchable(message)
    return status === 410
      ? failed('provider_lost', `${vendor} has removed the file.`)
      : withheld(String(URL.parse(url)?.origin), status)
  }
}

function isPassing(status: number): boolean {
  return status === 408 || status === 429 || status >= 500
}

/**
 * The report on a file that is not given out. The service polls a few times more, and then reports that the task is lost.
 * The key can't be the reason, because the API has just accepted it.
 */
function withheld(origin: string, status: number): ReportOf<'unknown'> {
  return {
    state: 'unknown',
    message: `The file is made, but ${origin} does not give it out: it answered with status ${status}.`,
  }
}

function unfetchable(why: string): ReportOf<'failed'> {
  return failed('output_invalid', `The file cannot be fetched: ${why}`)
}
