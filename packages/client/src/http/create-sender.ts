import type { CheckedOptions } from '../client/check-client-options.ts'
import type { Job } from '../wire/job.ts'
import { abortedError, GenmountError } from '../errors/genmount-error.ts'
import { pause } from './pause.ts'
import { parsed, refusal } from './refusal.ts'
import { retryPauseMs } from './retry-pause.ts'
import { untilAborted } from './until-aborted.ts'

/** A request to the service. */
export interface Call<Result> {
  /** @default 'GET' */
  readonly method?: 'DELETE' | 'OPTIONS' | 'POST'
  /** The path behind `/v1`. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: BodyInit
  readonly signal: AbortSignal | undefined
  /** Whether the client may send the request again. @default true */
  readonly isRepeatable?: boolean
  /** After how many milliseconds without data the request counts as lost. @default the client's `timeoutMs` */
  readonly timeoutMs?: number
  /**
   * The path of the job of which this downloads a file: the service may redirect to the file, and the caller reads its body.
   * @default no file is downloaded
   */
  readonly fileOf?: string
  /** Reads the answer. It must wait for each part of the answer with `guarded`. @throws GenmountError */
  read(response: Response, guarded: Guarded): Promise<Result> | Result
}

/** The longest timer that runtimes have. */
export const noLimitMs = 2 ** 31 - 1

/** Waits for a part of an answer. @throws GenmountError `network_error`, `timeout` or `aborted` */
export type Guarded = <Part>(part: Promise<Part>) => Promise<Part>

/** Sends a request, and sends it again where that is safe. @throws GenmountError */
export type Send = <Result>(call: Call<Result>) => Promise<Result>

export function createSender(options: CheckedOptions): Send {
  return async <Result>(call: Call<Result>) => {
    let mayBeGone = false
    for (let retry = 0; ; retry++) {
      try {
        return await sendOnce(options, call)
      } catch (error) {
        if (!(error instanceof GenmountError)) throw error
        // The first try of this delete may have succeeded although its answer was lost. A 404 then means success.
        if (mayBeGone && error.status === 404) return undefined as Result
        const mayRepeat = retry < options.maxRetries && call.isRepeatable !== false
        const pauseMs = mayRepeat ? retryPauseMs(error, retry) : undefined
        // A single lost connection is only retried.
        if (call.fileOf && error.code === 'network_error' && (retry || !pauseMs))
          await checkOrigin(options, call, error)
        if (pauseMs === undefined) throw error
        mayBeGone ||= call.method === 'DELETE' && ![408, 425, 429, 503].includes(error.status ?? 0)
        await pause(pauseMs, call.signal)
      }
    }
  }
}

/**
 * While the service answers, but gives its outputs another address, it sends the client to where it can't read the file.
 * @throws GenmountError `output_elsewhere`
 */
async function checkOrigin(options: CheckedOptions, { fileOf, signal }: Call<unknown>, cause: GenmountError) {
  const job = await sendOnce<Job>(options, { path: fileOf!, signal, read: readJson }).catch(() => {})
  const here = /^h/i.test(options.baseUrl) ? options.baseUrl : location.origin
  if (job && !job.urls.get.startsWith(here))
    throw new GenmountError(
      'output_elsewhere',
      `The service names ${job.urls.get}, not ${here}. Set its baseUrl, or let the proxy keep Host.`,
      { cause },
    )
}

async function sendOnce<Result>(options: CheckedOptions, call: Call<Result>): Promise<Result> {
  const { method = 'GET', path, body, signal, timeoutMs = options.timeoutMs, fileOf } = call
  if (signal?.aborted) throw abortedError(signal)
  // React Native has neither AbortSignal.any nor AbortSignal.timeout.
  const controller = new AbortController()
  const leave = () => controller.abort()
  signal?.addEventListener('abort', leave)
  let timer: ReturnType<typeof setTimeout> | undefined
  let isBeingRead: string | undefined

  const guarded: Guarded = async (part) => {
    clearTimeout(timer)
    timer = setTimeout(leave, timeoutMs)
    try {
      return await untilAborted(part, controller.signal)
    } catch (cause) {
      if (signal?.aborted) throw abortedError(signal)
      throw controller.signal.aborted
        ? new GenmountError('timeout', `The server has sent nothing for ${timeoutMs} ms.`)
        : new GenmountError(
            'network_error',
            `${options.baseUrl || 'The server'} could not be reached, or the connection broke.`,
            { cause },
          )
    }
  }

  let arriving: Promise<Response> | undefined
  try {
    const key = await untilAborted(options.apiKey(), signal)
    arriving = options.fetch(`${options.baseUrl}/v1${path}`, {
      method,
      headers: { ...(key && { authorization: `Bearer ${key}` }), ...call.headers },
      signal: controller.signal,
      // After a redirect to another origin, `fetch` leaves the key out.
      redirect: fileOf ? 'follow' : 'manual',
      ...(body !== undefined && { body }),
      // `fetch` requires this property when the body is a stream.
      ...(isStream(body) && { duplex: 'half' }),
    } as RequestInit)
    const response = await guarded(arriving)
    if (!response.ok) throw refusal(response, await guarded(response.text()))
    const result = await call.read(response, guarded)
    isBeingRead = fileOf
    return result
  } finally {
    clearTimeout(timer)
    // The caller reads the body of a download, and may abort it. The rest of any other body is not needed.
    if (!isBeingRead) {
      signal?.removeEventListener('abort', leave)
      leave()
      // A `fetch` that the app has given may ignore the abort, and in Node the signal of a Request that is garbage never
      // aborts. The service would keep a place for the stream.
      arriving?.then(({ body: rest }) => rest?.cancel()).catch(() => {})
    }
  }
}

/** Whether a body is a stream, which can be sent only once. React Native has no class of streams. */
export function isStream(body: unknown): boolean {
  return Boolean((body as Partial<ReadableStream> | undefined)?.getReader)
}

/**
 * Parses an answer: an object of the interface, such as a job or a list.
 * @throws GenmountError `network_error` when the end of the answer is missing, `unexpected_answer` when it is none
 */
export async function readJson<Value>(response: Response, guarded: Guarded): Promise<Value> {
  const text = await guarded(response.text())
  const value = parsed(text) as { readonly object?: unknown } | null | undefined
  if (!value && text[0] === '{') throw new GenmountError('network_error', 'The answer is cut off.')
  if (!value?.object) throw refusal(response, text)
  return value as Value
}

/** Parses a part of an answer as JSON. @throws GenmountError `unexpected_answer` for any other text */
export function jsonIn<Value>(response: Response, text: string): Value {
  const value = parsed(text)
  if (!value) throw refusal(response, text)
  return value as Value
}
