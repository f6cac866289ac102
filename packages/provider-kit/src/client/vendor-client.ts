import {
  callable,
  checkBaseUrl,
  checkOptions,
  listOf,
  optional,
  type OptionTable,
  text,
} from '@genmount/core'
import { checkHeaders } from '../options/check-headers.ts'
import { credentialsIn } from './credentials.ts'
import { answerCheck, CostlyJsonError, jsonIn, maxAnswerValues, parsedJson } from './json-in.ts'
import { readBody } from './read-body.ts'
import type { ReceivedAnswer } from './received-answer.ts'
import { RedirectError } from './redirect-error.ts'
import { scrubbedFault } from './scrubbed-fault.ts'
import { scrubber } from './scrubber.ts'
import { type VendorAnswer, vendorAnswer, type VendorWordsIn } from './vendor-answer.ts'

/** How to reach a vendor's API. */
export interface VendorClientOptions {
  /** The vendor's name, for error messages. */
  readonly vendor: string
  /** The address of the API, to which paths are appended. No request goes to another origin. */
  readonly baseUrl: string
  /** The function that sends requests. @default the runtime's `fetch` */
  readonly fetch?: typeof globalThis.fetch | undefined
  /**
   * Headers of every request. If an answer repeats credentials that are in them, they are taken out of its text.
   * @default none
   */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /**
   * Secrets that requests have in their bodies. If an answer repeats them, they are taken out of its text.
   * @default none
   */
  readonly secrets?: readonly string[] | undefined
  /**
   * Reads what an unsuccessful answer says, for a vendor that says it in a form of its own. The reports on such answers
   * contain it.
   * @default the vendor's message and `Retry-After` are looked for in the usual places
   */
  readonly wordsIn?: VendorWordsIn | undefined
}

/** One request to a vendor. */
export interface VendorRequest {
  /** The HTTP method. */
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** The path below `baseUrl`, or a whole URL of the same origin. */
  readonly path: string
  /** A value that is sent as a JSON body. It wins over `form`. @default no JSON body */
  readonly json?: unknown
  /** A body that is sent as multipart/form-data. @default no form */
  readonly form?: FormData | undefined
  /** Headers of this request beside those of all. @default none */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /**
   * The callback URL in the request. It contains a secret, so it is taken out of the answer, in case the vendor repeats
   * it in an error.
   * @default none
   */
  readonly callbackUrl?: string | undefined
  /** Aborting it stops the request. */
  readonly signal: AbortSignal
  /**
   * The longest body of a successful answer, in bytes. If the answer to a submit is longer, it is unknown whether the
   * task was accepted. So allow enough for vendors that repeat the input in their answers.
   * @default 1048576 (1 MiB)
   */
  readonly maxBytes?: number | undefined
  /**
   * How many keys and values the JSON of a successful answer may have. It is counted while the answer arrives.
   * @default 100000
   */
  readonly maxValues?: number | undefined
}

/** A client of one vendor's API. */
export interface VendorClient {
  /**
   * Sends one request, once. It does not follow redirects, because they could send the credentials elsewhere.
   * @throws Error when no complete answer arrives: the error of the network, or the reason of `signal`
   * @throws RedirectError when the vendor redirects
   * @throws AnswerTooLargeError when a successful answer is longer than `maxBytes`, or its JSON has more than
   *   `maxValues` keys and values or more than 64 levels
   * @throws TypeError when `path` leads to another origin
   */
  ask(request: VendorRequest): Promise<VendorAnswer>
}

/**
 * A successful answer is longer than `maxBytes`, or its JSON costs more than it may. The same request would be answered
 * in the same way again.
 */
export class AnswerTooLargeError extends Error {
  /** Identifies this error if two copies of the package are installed and `instanceof` fails. */
  override readonly name = 'AnswerTooLargeError'
}

const mebibyte = 1024 * 1024

const table = {
  vendor: text(),
  baseUrl: checkBaseUrl,
  fetch: optional(callable<typeof globalThis.fetch>('globalThis.fetch')),
  headers: optional(checkHeaders, {}),
  secrets: optional(listOf('a list of texts', text()), []),
  wordsIn: optional(callable<VendorWordsIn>('(answer) => ({ message: answer.text })')),
} satisfies OptionTable<VendorClientOptions>

/**
 * Makes the client with which a provider calls its vendor.
 * @throws TypeError when `baseUrl` is not an http or https URL, or a header cannot be sent
 * @example
 * const { ask } = vendorClient({ vendor: 'Acme', baseUrl: 'https://api.acme.example/v1', headers })
 * const answer = await ask({ method: 'GET', path: '/tasks/7', signal })
 */
export function vendorClient(options: VendorClientOptions): VendorClient {
  const { vendor, baseUrl, headers: headersOption, ...checked } = checkOptions('vendorClient', options, table)
  const base = new URL(baseUrl)
  const commonHeaders = headersOf(headersOption)
  const scrub = scrubber([...credentialsIn(commonHeaders), ...checked.secrets])

  function urlOf(path: string): URL {
    const url = /^https?:/i.test(path)
      ? new URL(path)
      : new URL(`${base.href.replace(/\/$/, '')}/${path.replace(/^\//, '')}`)
    if (url.origin === base.origin && !url.username && !url.password) return url
    throw new TypeError(`${vendor}: requests go only to ${base.origin}, not to ${url.origin}.`)
  }

  return {
    async ask(request) {
      const { method, path, json, form, callbackUrl, signal, headers: ownHeaders = {} } = request
      const { maxBytes = mebibyte, maxValues = maxAnswerValues } = request
      // Read for each request, because tests and tracers replace the global fetch at any time.
      const fetch = checked.fetch ?? globalThis.fetch
      // Sent as bytes, because Node 24 crashes when a request with a FormData body is aborted before its body is sent.
      const encoded = form && new Response(form)
      const body = json === undefined ? await encoded?.blob() : sentOnce(JSON.stringify(json))
      const headers = headersOf({ ...Object.fromEntries(commonHeaders), ...ownHeaders })
      const bodyType = json === undefined ? encoded?.headers.get('content-type') : 'application/json'
      if (bodyType) headers.set('content-type', bodyType)
      const discreet = (words: string) => scrub(withoutCallback(words, callbackUrl))
      const fail = (fault: unknown): never => {
        throw scrubbedFault(fault, discreet)
      }
      const url = urlOf(path)
      const response = await fetch(url, {
        method,
        headers,
        ...(body !== undefined && { body }),
        redirect: 'manual',
        signal,
      }).catch(fail)
      if (isRedirect(response)) {
        await response.body?.cancel()
        const location = response.headers.get('location')
        throw new RedirectError(vendor, location === null ? undefined : URL.parse(location, url)?.href)
      }
      const { ok, status, headers: answered } = response
      const checkOf = () => (ok ? answerCheck(maxValues) : () => {})
      const { bytes, isCut } = await readBody(response, ok ? maxBytes : mebibyte, checkOf).catch((fault) => {
        if (fault instanceof CostlyJsonError)
          throw new AnswerTooLargeError(`${vendor} answered with JSON that ${fault.message}.`)
        return fail(fault)
      })
      if (ok && isCut) throw new AnswerTooLargeError(`${vendor} answered with more than ${maxBytes} bytes.`)
      let decoded: string | undefined
      let parsed: { readonly json: unknown } | undefined
      const received: ReceivedAnswer = {
        ok,
        status,
        headers: answered,
        bytes,
        // Decoded only when the text is read, because the bytes may be those of a film.
        get text() {
          return (decoded ??= discreet(new TextDecoder().decode(bytes)))
        },
        get json() {
          parsed ??= { json: ok ? parsedJson(received.text) : jsonIn(received.text) }
          return parsed.json
        },
      }
      return vendorAnswer(received, checked.wordsIn)
    },
  }
}

/**
 * Turns the headers into `Headers`, which ignores the case of names. If two names differ only in case, the last one
 * wins.
 */
function headersOf(headersOption: Readonly<Record<string, string>>): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(headersOption)) headers.set(name, value)
  return headers
}

/**
 * On Deno a Blob, because Deno sends every other kind of body a second time when the connection breaks before the answer,
 * which would start two tasks. https://github.com/denoland/deno/issues/35610 Elsewhere the text itself: Node reads a Blob
 * in many turns, and closes the connection when the answer comes before the last of them.
 */
function sentOnce(json: string): Blob | string {
  return 'Deno' in globalThis ? new Blob([json]) : json
}

function isRedirect({ status, type }: Response): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status < 400 && status !== 304)
}

function withoutCallback(words: string, callbackUrl: string | undefined): string {
  if (callbackUrl === undefined) return words
  return words.replaceAll(callbackUrl, '[callback]').replaceAll(encodeURIComponent(callbackUrl), '[callback]')
}
