import type { Heard } from './valid-requests.ts'

/** The parts of the answers that a sequence goes on with. */
interface Said {
  readonly id?: string
}

const picture = Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=', 'base64')
const maxHeard = 200

/**
 * Does what an honest client does with one job, one step after the other, so that other clients hear of ids and links that
 * exist.
 * @param lot a number from 0 up to 1, which decides how the sequence ends
 * @param inspect gets each answer, as bytes of HTTP
 */
export async function runSequence(
  origin: string,
  key: string,
  heard: Heard,
  lot: number,
  inspect: (answer: string, request: string) => void,
): Promise<void> {
  const ask = async (
    method: string,
    path: string,
    body?: string | Uint8Array<ArrayBuffer>,
    more: HeadersInit = {},
  ) => {
    const headers = new Headers({ authorization: `Bearer ${key}`, 'content-type': 'application/json' })
    for (const [name, value] of new Headers(more)) headers.set(name, value)
    const init = {
      method,
      headers,
      body: body ?? null,
      redirect: 'manual',
      signal: AbortSignal.timeout(4000),
    } as const
    try {
      const response = await fetch(origin + path, init)
      const text = await response.text()
      const lines = [...response.headers].map(([name, value]) => `${name}: ${value}\r\n`).join('')
      inspect(`HTTP/1.1 ${response.status}\r\n${lines}\r\n${text}`, `${method} ${path}`)
      const { id } = (response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : {}) as Said
      return { id, location: response.headers.get('location') }
    } catch {
      // The server is slow, or has closed the connection: the honest client and the raw clients show which.
      return { location: null }
    }
  }

  const upload = await ask('POST', '/v1/uploads', picture, { 'content-type': 'image/gif' })
  if (upload.id !== undefined) hear(heard.uploads, upload.id)
  const order = {
    model: 'doors-image',
    prompt: 'a kite',
    image: `upload://${upload.id}`,
    delay_ms: lot * 500,
  }
  const { id } = await ask('POST', '/v1/generate', JSON.stringify(order))
  if (id === undefined) return
  hear(heard.jobs, id)
  await halfOf(`${origin}/v1/jobs/${id}/events`, key)
  await ask('GET', `/v1/jobs/${id}/events`, undefined, { 'last-event-id': '1' })
  const message = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'get_job', arguments: { job_id: id } },
  }
  await ask('POST', '/mcp', JSON.stringify(message), { accept: 'application/json, text/event-stream' })
  const { location } = await ask('GET', `/v1/files/${id}?n=1`)
  if (location !== null) {
    const { pathname, search } = new URL(location, origin)
    hear(heard.links, pathname + search)
    await ask('GET', pathname + search)
  }
  await ask('GET', `/v1/jobs/${id}/deliveries`)
  if (lot < 0.3) await ask('POST', `/v1/jobs/${id}/cancel`)
  if (lot < 0.6) await ask('DELETE', `/v1/jobs/${id}`)
  await ask('GET', `/v1/jobs/${id}`)
}

/** Notes what a client has heard, and forgets the oldest. */
export function hear(list: string[], text: string): void {
  list.push(text)
  if (list.length > maxHeard) list.splice(0, maxHeard / 2)
}

/** Reads the beginning of a stream of events and leaves. */
async function halfOf(url: string, key: string): Promise<void> {
  const leaving = new AbortController()
  const headers = { authorization: `Bearer ${key}` }
  const signal = AbortSignal.any([leaving.signal, AbortSignal.timeout(4000)])
  try {
    const response = await fetch(url, { headers, signal })
    await response.body?.getReader().read()
  } catch {
    // As above.
  }
  leaving.abort()
}
