import { fromBase64, type JobNews } from '@genmount/core'
import { jsonIn, recordOf } from '@genmount/provider-kit'
import { createParser } from 'eventsource-parser'
import { previewOf } from '../progress/preview-in.ts'
import { pause } from '../server/pause.ts'
import { rateGuard } from '../socket/rate-guard.ts'
import { endOf, newsOf } from './job-report.ts'

/** The most streams at once. Comfy has a limit for each key too, which it does not publish. */
const maxStreams = 16
/** The longest event, in characters. An event with a preview that reaches clients has less than 90,000. */
const maxEventLength = 1024 * 1024
/**
 * The back-off after a stream has ended by itself, in milliseconds. It grows with each stream in a row that has lasted for less
 * than `steady`.
 */
const restMs = { first: 1000, longest: 60_000, steady: 10_000 }

/** How to reach the API. */
export interface JobFollowerOptions {
  /** Its address, without a slash at its end. Requests and their headers go nowhere else. */
  readonly baseUrl: string
  readonly headers: Readonly<Record<string, string>>
  /** @default the runtime's `fetch` */
  readonly fetch?: typeof globalThis.fetch | undefined
  /** How long a stream may bring nothing, in milliseconds. It also limits how long opening may take. @default 60000 */
  readonly silenceMs?: number
}

/** Why a stream has ended: `limited` by Comfy or here; `over` when a further stream would bring nothing either. */
type StreamEnd = 'over' | 'broken' | 'limited'

/**
 * Makes the function that follows a job by its stream of server-sent events.
 *
 * A stream begins with the present state of the job, so a broken one is opened again, and nothing else is needed. An event that
 * says that the job has ended only ends the following.
 * @returns a function that takes the path of the stream, calls `tell` with the news in each event, and returns the function that
 *   stops this and closes the connection
 * @see https://docs.comfy.org/openapi-v2.yaml `getJobEvents`
 * @example
 * const end = jobFollower({ baseUrl, headers })('/api/v2/jobs/7/events', ({ progress }) => console.log(progress))
 */
export function jobFollower(options: JobFollowerOptions) {
  let streams = 0

  async function readOne(
    path: string,
    tell: (news: JobNews) => void,
    watch: AbortSignal,
  ): Promise<StreamEnd> {
    if (streams >= maxStreams) return 'limited'
    streams++
    try {
      return await readStream(options, path, tell, watch)
    } catch {
      return 'broken'
    } finally {
      streams--
    }
  }

  async function follow(path: string, tell: (news: JobNews) => void, watch: AbortSignal): Promise<void> {
    for (let endsInARow = 0; ; endsInARow++) {
      const openedAt = performance.now()
      const end = await readOne(path, tell, watch)
      if (end === 'over') return
      if (performance.now() - openedAt >= restMs.steady) endsInARow = 0
      const ms = end === 'limited' ? restMs.longest : restMs.first * 2 ** endsInARow
      await pause(Math.min(restMs.longest, ms), watch)
    }
  }

  return (path: string, tell: (news: JobNews) => void): (() => void) => {
    const watch = new AbortController()
    const tellWatcher = (news: JobNews) => {
      if (!watch.signal.aborted) tell(news)
    }
    // It rejects only when the watch ends.
    follow(path, tellWatcher, watch.signal).catch(() => {})
    return () => watch.abort()
  }
}

/** @throws the error of the network, or an `AbortError` when the watch has ended or the server is silent */
async function readStream(
  { baseUrl, headers, fetch, silenceMs = 60_000 }: JobFollowerOptions,
  path: string,
  tell: (news: JobNews) => void,
  watch: AbortSignal,
): Promise<StreamEnd> {
  const silence = new AbortController()
  const limitSilence = () => setTimeout(() => silence.abort(), silenceMs)
  let limit = limitSilence()
  try {
    const requestHeaders = new Headers()
    for (const [name, value] of Object.entries({ ...headers, accept: 'text/event-stream' }))
      requestHeaders.set(name, value)
    // Read for each request, because tests and tracers replace the global fetch at any time.
    const response = await (fetch ?? globalThis.fetch)(baseUrl + path, {
      headers: requestHeaders,
      redirect: 'manual',
      signal: AbortSignal.any([watch, silence.signal]),
    })
    const isStream = response.ok && response.headers.get('content-type')?.startsWith('text/event-stream')
    if (!isStream || !response.body) {
      await response.body?.cancel()
      return endBy(response.status)
    }
    let end = 'broken' as StreamEnd
    const isTooMuch = rateGuard()
    const parser = createParser({
      maxBufferSize: maxEventLength,
      onError({ type }) {
        if (type === 'max-buffer-size-exceeded') end = 'limited'
      },
      onEvent({ event, data }) {
        if (end !== 'broken') return
        const job = recordOf(jsonIn(data))
        tell(newsIn(event, job))
        if (isTooMuch(1, 0)) end = 'limited'
        else if (event === 'status' && (job['status'] === 'succeeded' || endOf(job))) end = 'over'
      },
    })
    const decoder = new TextDecoder()
    for await (const chunk of response.body) {
      clearTimeout(limit)
      limit = limitSilence()
      if (isTooMuch(0, chunk.byteLength)) return 'limited'
      parser.feed(decoder.decode(chunk, { stream: true }))
      // Leaving the loop closes the connection.
      if (end !== 'broken') return end
    }
    return end
  } finally {
    clearTimeout(limit)
  }
}

/** What an answer that is no stream means. Servers without streams answer 501, and a proxy may answer with a page. */
function endBy(status: number): StreamEnd {
  if (status === 429) return 'limited'
  return status >= 500 && status !== 501 ? 'broken' : 'over'
}

function newsIn(event: string | undefined, job: Readonly<Record<string, unknown>>): JobNews {
  if (event === 'status') return newsOf(job)
  if (event === 'progress') return newsOf({ status: 'running', progress: job })
  const bytes = event === 'preview' ? fromBase64(job['data_base64']) : undefined
  return { preview: bytes && previewOf(bytes) }
}
