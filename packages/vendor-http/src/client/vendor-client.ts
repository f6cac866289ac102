import { checkBaseUrl, gatheredBytes } from '@genmount/core'
import { credentialsIn } from './credentials.ts'
import { scrubbedFault } from './scrubbed-fault.ts'
import { scrubber } from './scrubber.ts'

export interface VendorClientOptions {
  /** Who is asked, for messages. */
  readonly vendor: string
  /** Paths are joined to it. Nothing is ever sent to another origin. */
  readonly baseUrl: string
  /** @default the runtime's own */
  readonly fetch?: typeof globalThis.fetch | undefined
  /** Sent with every request. The credentials in them are taken out of every text that comes back, should it echo them. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

export interface VendorRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Below `baseUrl`, or a whole URL of the same origin. */
  readonly path: string
  /** The body as JSON. */
  readonly json?: unknown
  /** The body as multipart/form-data. */
  readonly form?: FormData | undefined
  /** Where the vendor is told to call back. It holds a secret, and is taken out of the answer, should that complain of it. */
  readonly callbackUrl?: string | undefined
  readonly signal: AbortSignal
  /**
   * How many bytes of a success are read at the most. A submit whose answer is longer has an unknown outcome: mind
   * vendors that repeat the input. @default 1048576 (1 MiB)
   */
  readonly maxBytes?: number | undefined
}

/** What came back, of any status, read to its end; of an error, whose status says what counts, the first MiB. */
export interface VendorAnswer {
  readonly ok: boolean
  readonly status: number
  readonly headers: Headers
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Scrubbed of credentials. */
  readonly text: string
  /** `undefined` when the text is not JSON. Scrubbed of credentials. */
  readonly json: unknown
}

export interface VendorClient {
  /**
   * Asks once. Follows no redirect, because that could take the credentials elsewhere.
   * @throws Error when there is no whole answer: the network's own, or `signal`'s reason
   * @throws AnswerTooLargeError when a success is longer than `maxBytes`
   * @throws TypeError when `path` leads to another origin
   */
  ask(request: VendorRequest): Promise<VendorAnswer>
}

/** There is an answer, and it is longer than it may be. To ask again would bring as much. */
export class AnswerTooLargeError extends Error {
  override readonly name = 'AnswerTooLargeError'
}

const mebibyte = 1024 * 1024

/** @throws TypeError when `baseUrl` is no http or https URL, or a header can't be sent */
export function vendorClient(options: VendorClientOptions): VendorClient {
  const { vendor } = options
  const base = new URL(checkBaseUrl('baseUrl', options.baseUrl))
  const commonHeaders = checkHeaders(options.headers)
  const scrub = scrubber(credentialsIn(commonHeaders))

  function urlOf(path: string): URL {
    const url = /^https?:/i.test(path)
      ? new URL(path)
      : new URL(`${base.href.replace(/\/$/, '')}/${path.replace(/^\//, '')}`)
    if (url.origin === base.origin && !url.username && !url.password) return url
    throw new TypeError(`${vendor}: ${url.origin} is not asked, only ${base.origin} is.`)
  }

  return {
    async ask(request) {
      const { method, path, json, form, callbackUrl, signal, maxBytes = mebibyte } = request
      // Looked up late, so that a test or a tracer can have put another one there.
      const fetch = options.fetch ?? globalThis.fetch
      // As bytes: Node 24 crashes on a form whose request is aborted before it was read to its end.
      const encoded = form && new Response(form)
      // A Blob, because Deno sends any other body a second time when the connection breaks before the answer, and so
      // would start two tasks. https://github.com/denoland/deno/issues/35610
      const body = json === undefined ? await encoded?.blob() : new Blob([JSON.stringify(json)])
      const headers = new Headers(commonHeaders)
      const bodyType = json === undefined ? encoded?.headers.get('content-type') : 'application/json'
      if (bodyType) headers.set('content-type', bodyType)
      const discreet = (text: string) => scrub(withoutCallback(text, callbackUrl))
      const fail = (fault: unknown): never => {
        throw scrubbedFault(fault, discreet)
      }
      const response = await fetch(urlOf(path), {
        method,
        headers,
        ...(body !== undefined && { body }),
        redirect: 'manual',
        signal,
      }).catch(fail)
      if (isRedirect(response)) {
        await response.body?.cancel()
        throw new Error(`${vendor} redirects, which is not followed: credentials could go elsewhere.`)
      }
      const { ok, status, headers: answered } = response
      const { bytes, isCut } = await readUpTo(ok ? maxBytes : mebibyte, response).catch(fail)
      if (ok && isCut) throw new AnswerTooLargeError(`${vendor} answered with more than ${maxBytes} bytes.`)
      let text: string | undefined
      let parsed: { readonly json: unknown } | undefined
      const answer: VendorAnswer = {
        ok,
        status,
        headers: answered,
        bytes,
        // Made when asked for: the bytes may be those of a film.
        get text() {
          return (text ??= discreet(new TextDecoder().decode(bytes)))
        },
        get json() {
          parsed ??= { json: parse(answer.text) }
          return parsed.json
        },
      }
      return answer
    },
  }
}

/** As `Headers`, in which names differ by more than their case. Of two values for one name the last counts. */
function checkHeaders(given: Readonly<Record<string, string>> = {}): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(given)) {
    try {
      headers.set(name, value)
    } catch {
      // Without the value, which may be a secret.
      throw new TypeError(`headers must have names and values that HTTP can send: ${name} is none.`)
    }
  }
  return headers
}

function isRedirect({ status, type }: Response): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status < 400 && status !== 304)
}

/** Counted as it comes: a length can be absent, and a lie. */
async function readUpTo(maxBytes: number, { body }: Response) {
  const gathered = gatheredBytes({ expectedBytes: maxBytes })
  let isCut = false
  for await (const chunk of body ?? []) {
    const room = maxBytes - gathered.size
    gathered.add(chunk.subarray(0, room))
    isCut = chunk.byteLength > room
    // Cancels the rest.
    if (isCut) break
  }
  return { bytes: gathered.whole(), isCut }
}

function withoutCallback(text: string, callbackUrl: string | undefined): string {
  if (callbackUrl === undefined) return text
  return text.replaceAll(callbackUrl, '[callback]').replaceAll(encodeURIComponent(callbackUrl), '[callback]')
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
