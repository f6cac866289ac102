/**
 * How a request goes wrong. `cut-before`: it never arrives. `cut-after`: it arrives, and its answer is lost. `half-body`:
 * its answer breaks off. `half-stream`: its answer breaks off after the first event. Otherwise the request does not arrive,
 * and something between answers.
 */
export type FetchFault =
  | 'cut-before'
  | 'cut-after'
  | 'half-body'
  | 'half-stream'
  | { readonly status: number; readonly retryAfter: string }

/** A request that the client has sent. */
export interface SentRequest {
  /** What stands behind `/v1` in its address. */
  readonly path: string
  readonly headers: Headers
}

/**
 * A fetch that lets requests go wrong.
 * @param faultFor says what goes wrong, by the path and by how many requests of this path there were before
 */
export function faultyFetch(faultFor: (path: string, count: number) => FetchFault | undefined): {
  readonly fetch: typeof globalThis.fetch
  readonly requests: readonly SentRequest[]
} {
  const requests: SentRequest[] = []

  /**
   * Sends a request. If the connection fails, the request does not count: a busy server may have closed a connection that
   * was about to be used again, and the client then sends the same request once more.
   */
  async function send(request: SentRequest, input: RequestInfo | URL, init: RequestInit): Promise<Response> {
    try {
      return await fetch(input, init)
    } catch (error) {
      if (!init.signal?.aborted) requests.splice(requests.indexOf(request), 1)
      throw error
    }
  }

  async function faulty(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
    const path = String(input).replace(/^.*?\/v1(?=\/)/, '')
    const count = requests.filter((request) => request.path === path).length
    const request = { path, headers: new Headers(init.headers) }
    requests.push(request)
    const fault = faultFor(path, count)
    if (fault === undefined) return send(request, input, init)
    if (fault === 'cut-before') throw new TypeError('The connection was refused.')
    if (typeof fault === 'object')
      return new Response('<html>', { status: fault.status, headers: { 'retry-after': fault.retryAfter } })
    const response = await send(request, input, init)
    if (fault === 'half-stream') return new Response(brokenAfterEvent(response.body!), response)
    const bytes = new Uint8Array(await response.arrayBuffer())
    if (fault === 'cut-after') throw new TypeError('The connection was lost.')
    return new Response(brokenAfter(bytes.slice(0, bytes.length / 2)), response)
  }
  return { fetch: faulty, requests }
}

function brokenAfter(bytes: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (controller) => controller.enqueue(bytes),
    pull: (controller) => controller.error(new TypeError('The connection was lost.')),
  })
}

function brokenAfterEvent(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  return new ReadableStream(
    {
      async pull(controller) {
        // A chunk may end in the middle of an event.
        if (/event:.*\n\n/s.test(text)) {
          await reader.cancel()
          controller.error(new TypeError('The connection was lost.'))
          return
        }
        const { value = new Uint8Array() } = await reader.read()
        text += decoder.decode(value, { stream: true })
        controller.enqueue(value)
      },
    },
    { highWaterMark: 0 },
  )
}
