export interface VendorClientOptions {
  /** Who is asked, for messages. */
  readonly vendor: string
  /** Paths are joined to it. Nothing is ever sent to another origin. */
  readonly baseUrl: string
  /** @default the runtime's own */
  readonly fetch?: typeof globalThis.fetch | undefined
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Taken out of every text that comes back, should the vendor echo them. */
  readonly secrets?: readonly string[] | undefined
}

export interface VendorRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Below `baseUrl`, or a whole URL of the same origin. */
  readonly path: string
  /** The body as JSON. */
  readonly json?: unknown
  /** The body as multipart/form-data. */
  readonly form?: FormData | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Taken out of this answer's text too, for example a callback's URL. */
  readonly secrets?: readonly string[] | undefined
  readonly signal: AbortSignal
  /**
   * How many bytes of an answer are read at the most. A submit whose answer is longer has an unknown outcome: mind
   * vendors that repeat the input. @default 1048576 (1 MiB)
   */
  readonly maxBytes?: number | undefined
}

/** What came back, of any status, read to its end. */
export interface VendorAnswer {
  readonly ok: boolean
  readonly status: number
  readonly headers: Headers
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Scrubbed of secrets. */
  readonly text: string
  /** `undefined` when the text is not JSON. Scrubbed of secrets. */
  readonly json: unknown
}

export interface VendorClient {
  /**
   * Asks once. Follows no redirect, because that could take the credentials elsewhere.
   * @throws Error when there is no whole answer: the network's own, one of a body that is too large, or `signal`'s reason
   * @throws TypeError when `path` leads to another origin
   */
  ask(request: VendorRequest): Promise<VendorAnswer>
  /** The text without the secrets. */
  scrub(text: string): string
}

/** @throws TypeError when `baseUrl` is no http or https URL, or a secret is empty */
export function vendorClient(options: VendorClientOptions): VendorClient {
  const { vendor, secrets = [] } = options
  const base = checkBaseUrl(options.baseUrl)
  if (secrets.some((secret) => typeof secret !== 'string' || secret === ''))
    throw new TypeError('token must be a text that is not empty.')

  function scrub(text: string, more: readonly string[] = []): string {
    return [...secrets, ...more].reduce((scrubbed, secret) => scrubbed.replaceAll(secret, '[secret]'), text)
  }

  /** By `Headers`, in which names differ by more than their case. */
  function headersOf({ json, headers = {} }: VendorRequest): Headers {
    const all = new Headers(json === undefined ? {} : { 'content-type': 'application/json' })
    for (const given of [options.headers ?? {}, headers])
      for (const [name, value] of Object.entries(given)) all.set(name, value)
    return all
  }

  function urlOf(path: string): URL {
    const url = /^https?:/i.test(path)
      ? new URL(path)
      : new URL(`${base.href.replace(/\/$/, '')}/${path.replace(/^\//, '')}`)
    if (url.origin === base.origin && !url.username && !url.password) return url
    throw new TypeError(`${vendor}: ${url.origin} is not asked, only ${base.origin} is.`)
  }

  return {
    scrub: (text) => scrub(text),

    async ask(request) {
      const { method, path, json, form, signal, maxBytes = 1024 * 1024 } = request
      // Looked up late, so that a test or a tracer can have put another one there.
      const fetch = options.fetch ?? globalThis.fetch
      // As bytes: Node 24 crashes on a form whose request is aborted before it was read to its end.
      const encoded = form && new Response(form)
      const body = json === undefined ? await encoded?.arrayBuffer() : JSON.stringify(json)
      const headers = headersOf(request)
      const formType = encoded?.headers.get('content-type')
      if (formType) headers.set('content-type', formType)
      const response = await fetch(urlOf(path), {
        method,
        headers,
        ...(body !== undefined && { body }),
        redirect: 'manual',
        signal,
      })
      if (isRedirect(response)) {
        await response.body?.cancel()
        throw new Error(`${vendor} redirects, which is not followed: credentials could go elsewhere.`)
      }
      const bytes = await readWhole(response, maxBytes, vendor)
      const { ok, status, headers: answered } = response
      let text: string | undefined
      let parsed: { readonly json: unknown } | undefined
      const answer: VendorAnswer = {
        ok,
        status,
        headers: answered,
        bytes,
        // Made when asked for: the bytes may be those of a film.
        get text() {
          return (text ??= scrub(new TextDecoder().decode(bytes), request.secrets))
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

function checkBaseUrl(baseUrl: unknown): URL {
  const url = typeof baseUrl === 'string' ? URL.parse(baseUrl) : null
  if (url && /^https?:$/.test(url.protocol) && !url.username && !url.password) return url
  throw new TypeError(
    `baseUrl must be an http or https URL without credentials, not ${JSON.stringify(baseUrl)}.`,
  )
}

function isRedirect({ status, type }: Response): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status < 400 && status !== 304)
}

/** Counted as it comes: a length can be absent, and a lie. */
async function readWhole(
  { body }: Response,
  maxBytes: number,
  vendor: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.byteLength
    // Leaving the loop cancels the rest.
    if (size > maxBytes) throw new Error(`${vendor} answered with more than ${maxBytes} bytes.`)
    chunks.push(chunk)
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer())
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
