/**
 * How a request goes wrong. `cut-after`: it arrives, and its answer is lost. `half-stream`: its answer breaks off after the
 * first event. A number: it does not arrive, and something between answers with this status.
 */
export type FetchFault = 'cut-after' | 'half-stream' | number

interface SentRequest {
  /** What stands behind `/v1` in its address. */
  readonly path: string
  readonly headers: Headers
}

/**
 * A fetch that lets requests go wrong, and the requests that it has sent.
 * @param faultFor says what goes wrong, by the path and by how many requests of this path there were before
 */
export function faultyFetch(faultFor: (path: string, count: number) => FetchFault | undefined) {
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
    if (typeof fault === 'number')
      return new Response('<html>', { status: fault, headers: { 'retry-after': '0' } })
    const response = await send(request, input, init)
    if (fault === 'half-stream') return new Response(brokenAfterEvent(response.body!), response)
    if (fault === undefined) return response
    await response.arrayBuffer()
    throw new TypeError('The connection was lost.')
  }
  return { fetch: faulty, requests }
}

function brokenAfterEvent(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  async function pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    // A chunk may end in the middle of an event.
    if (/event:.*\n\n/s.test(text)) {
      await reader.cancel()
      throw new TypeError('The connection was lost.')
    }
    const { value = new Uint8Array() } = await reader.read()
    text += decoder.decode(value, { stream: true })
    controller.enqueue(value)
  }
  return new ReadableStream({ pull }, { highWaterMark: 0 })
}
