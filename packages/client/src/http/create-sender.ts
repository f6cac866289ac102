import type { CheckedOptions } from '../client/check-client-options.ts'
import { abortedError, GenmountError } from '../errors/genmount-error.ts'
import { pause } from './pause.ts'
import { refusal } from './refusal.ts'
import { retryPauseMs } from './retry-pause.ts'
import { untilAborted } from './until-aborted.ts'

/** A request to the service. */
export interface Call<Result> {
  /** @default 'GET' */
  readonly method?: 'DELETE' | 'POST'
  /** What stands behind `/v1` in the address. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: BodyInit
  readonly signal: AbortSignal | undefined
  /** Whether the request is sent again where that may help. @default true */
  readonly isRepeatable?: boolean
  /** After how many milliseconds of silence the request counts as lost. @default that of the client */
  readonly timeoutMs?: number
  /** Whether the answer is the body of another address, which is read by the caller. @default false */
  readonly isDownload?: boolean
  /** Reads the answer, of which it waits for each part with `guarded`. @throws GenmountError */
  read(response: Response, guarded: Guarded): Promise<Result> | Result
}

/** Waits for a part of an answer. @throws GenmountError `network_error`, `timeout` or `aborted` */
export type Guarded = <Part>(part: Promise<Part>) => Promise<Part>

/** Sends a request, and again where that is safe. @throws GenmountError */
export type Send = <Result>(call: Call<Result>) => Promise<Result>

export function createSender(options: CheckedOptions): Send {
  return async <Result>(call: Call<Result>) => {
    let mayBeGone = false
    for (let retry = 0; ; retry++) {
      try {
        return await sendOnce(options, call)
      } catch (error) {
        if (!(error instanceof GenmountError)) throw error
        // What a delete no longer finds was deleted by its first request, whose answer was lost.
        if (mayBeGone && error.status === 404) return undefined as Result
        const mayRepeat = retry < options.maxRetries && call.isRepeatable !== false
        const pauseMs = mayRepeat ? retryPauseMs(error, retry) : undefined
        if (pauseMs === undefined) throw error
        mayBeGone ||= call.method === 'DELETE' && [undefined, 502, 504].includes(error.status)
        await pause(pauseMs, call.signal)
      }
    }
  }
}

async function sendOnce<Result>(options: CheckedOptions, call: Call<Result>): Promise<Result> {
  const { method = 'GET', path, body, signal, timeoutMs = options.timeoutMs, isDownload = false } = call
  if (signal?.aborted) throw abortedError(signal)
  // Not AbortSignal.any and AbortSignal.timeout, which React Native does not have.
  const controller = new AbortController()
  const leave = () => controller.abort()
  signal?.addEventListener('abort', leave)
  let timer: ReturnType<typeof setTimeout> | undefined

  const guarded: Guarded = async (part) => {
    clearTimeout(timer)
    timer = setTimeout(leave, Math.min(timeoutMs, 2 ** 31 - 1))
    try {
      return await untilAborted(part, controller.signal)
    } catch (cause) {
      if (signal?.aborted) throw abortedError(signal)
      throw controller.signal.aborted
        ? new GenmountError('timeout', `The server has said nothing for ${timeoutMs} ms.`)
        : new GenmountError('network_error', 'The server is out of reach, or the connection broke.', {
            cause,
          })
    }
  }

  try {
    const key = await untilAborted(options.apiKey(), signal)
    const headers = { ...(key !== undefined && { authorization: `Bearer ${key}` }), ...call.headers }
    const init = {
      method,
      headers,
      signal: controller.signal,
      // Where a request is redirected to another origin, fetch sends it without the key.
      redirect: isDownload ? 'follow' : 'manual',
      ...(body !== undefined && { body }),
      // Fetch asks for this word with a stream as the body.
      ...(isStream(body) && { duplex: 'half' }),
    } as const
    const response = await guarded(options.fetch(`${options.baseUrl}/v1${path}`, init))
    if (!response.ok) throw refusal(response, await guarded(response.text()))
    return await call.read(response, guarded)
  } finally {
    clearTimeout(timer)
    // The caller reads the body of a download, and may abort it. What is left of any other body is not read any more.
    if (!isDownload) {
      signal?.removeEventListener('abort', leave)
      leave()
    }
  }
}

/** Whether it is a stream, which can be sent only once. React Native has none. */
export function isStream(body: unknown): boolean {
  return typeof ReadableStream === 'function' && body instanceof ReadableStream
}

/** Reads an answer that is JSON. */
export async function readJson<Value>(response: Response, guarded: Guarded): Promise<Value> {
  const text = await guarded(response.text())
  try {
    return JSON.parse(text) as Value
  } catch {
    throw refusal(response, text)
  }
}
