import type { IncomingHttpHeaders } from 'node:http'
import { startFaultProxy } from '@genmount/testing'
import { expect } from 'vitest'
import { listen } from '../loopback.ts'
import type { ClientSubject } from './client-suite.ts'
import type { ClientReport } from './run-client.ts'

const file = 'the bytes of a file'
const key = 'the-key-of-alice'
const losses = ['cut-before', 'cut-after', 'half-body'] as const

/** Two servers with which a client has to be careful. */
export interface Traps {
  /** A server that redirects downloads and the list of models to another origin. */
  readonly redirects: ClientSubject
  /** A server that loses the first three answers to each create, each in another way. */
  readonly lossy: ClientSubject
  /** Fails unless one client, which has used each server once, has been careful. */
  check(report: ClientReport): void
  stop(): Promise<void>
}

/** @param subject the server to which the lossy one passes requests on */
export async function startTraps(subject: ClientSubject): Promise<Traps> {
  const seenElsewhere: IncomingHttpHeaders[] = []
  const elsewhere = await listen((request, response) => {
    seenElsewhere.push(request.headers)
    response.writeHead(200, { 'access-control-allow-origin': '*', 'content-type': 'image/png' }).end(file)
  })
  const server = await listen((request, response) => {
    // The page in which a browser runs the client.
    if (request.url === '/v1/jobs/none')
      return response.writeHead(200, { 'content-type': 'text/html' }).end()
    const status = request.url.startsWith('/v1/files/') ? 302 : 307
    return response.writeHead(status, { location: `${elsewhere.origin}${request.url}` }).end()
  })
  const proxy = await startFaultProxy(subject.baseUrl, ({ method }) =>
    method === 'POST' ? losses[creates()] : undefined,
  )

  /** How many earlier creates had the same key as the latest one. */
  function creates(): number {
    const keys = proxy.requests.flatMap(({ headers }) => headers['idempotency-key'] ?? [])
    return keys.filter((given) => given === keys.at(-1)).length - 1
  }

  return {
    redirects: { baseUrl: server.origin, key },
    lossy: { baseUrl: proxy.baseUrl, key: subject.key },
    check({ redirected, survived }) {
      expect(redirected).toEqual({ bytes: file.length, code: 'unexpected_answer' })
      expect(seenElsewhere).toHaveLength(1)
      expect(JSON.stringify(seenElsewhere)).not.toContain(key)
      expect(seenElsewhere[0]).not.toHaveProperty('authorization')
      expect(survived).toEqual(['completed'])
      expect(creates()).toBe(losses.length)
    },
    async stop() {
      await Promise.all([elsewhere.stop(), server.stop(), proxy.close()])
    },
  }
}
