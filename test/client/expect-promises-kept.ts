import type { IncomingHttpHeaders } from 'node:http'
import { startFaultProxy } from '@genmount/testing'
import { expect } from 'vitest'
import { listen } from '../loopback.ts'
import type { ClientSubject } from './client-suite.ts'
import { clients } from './clients.ts'

const file = 'the bytes of a file'
const key = 'the-key-of-alice'
const losses = ['cut-before', 'cut-after', 'half-body'] as const

/**
 * Fails unless the client on this runtime passes its suite at each of these servers, sends its key to no other origin when
 * a server redirects it, and makes one job when the first server loses three answers to a create, each in another way.
 */
export async function expectPromisesKept(
  runtime: keyof typeof clients,
  servers: readonly ClientSubject[],
): Promise<void> {
  const seenElsewhere: IncomingHttpHeaders[] = []
  const elsewhere = await listen((request, response) => {
    seenElsewhere.push(request.headers)
    response.writeHead(200, { 'access-control-allow-origin': '*', 'content-type': 'image/png' }).end(file)
  })
  const redirecting = await listen(({ url = '' }, response) => {
    // The page in which a browser runs the client, and its icon.
    if (url === '/v1/jobs/none' || !url.startsWith('/v1/'))
      return response.writeHead(200, { 'content-type': 'text/html' }).end()
    const status = url.startsWith('/v1/files/') ? 302 : 307
    return response.writeHead(status, { location: `${elsewhere.origin}${url}` }).end()
  })
  const [subject] = servers
  const proxy = await startFaultProxy(subject!.baseUrl, ({ method }) =>
    method === 'POST' ? losses[retries()] : undefined,
  )

  /** How many earlier creates had the same idempotency key as the latest one. */
  function retries(): number {
    const keys = proxy.requests.flatMap(({ headers }) => headers['idempotency-key'] ?? [])
    return keys.filter((earlier) => earlier === keys.at(-1)).length - 1
  }

  try {
    const { failures, redirected, survived } = await clients[runtime](servers, {
      redirects: { baseUrl: redirecting.origin, key },
      lossy: { baseUrl: proxy.baseUrl, key: subject!.key },
    })
    expect(failures).toEqual([])
    expect(redirected).toEqual({ bytes: file.length, code: 'unexpected_answer' })
    expect(seenElsewhere).toHaveLength(1)
    expect(JSON.stringify(seenElsewhere)).not.toContain(key)
    expect(seenElsewhere[0]).not.toHaveProperty('authorization')
    expect(survived).toEqual(['completed'])
    expect(retries()).toBe(losses.length)
  } finally {
    await Promise.all([elsewhere.stop(), redirecting.stop(), proxy.close()])
  }
}
