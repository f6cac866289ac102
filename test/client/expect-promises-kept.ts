import type { IncomingHttpHeaders } from 'node:http'
import { startFaultProxy } from '@genmount/testing'
import { beforeAll, expect } from 'vitest'
import { hosts as ownHosts } from '../hosts/hosts.ts'
import { projectHosts } from '../hosts/project-hosts.ts'
import { workerdHost } from '../hosts/workerd-host.ts'
import { listen } from '../loopback.ts'
import type { ClientSubject } from './client-suite.ts'
import { clients } from './clients.ts'

/**
 * The hosts at which the client is tried, beside Next, which `test/projects` builds. One is left out: its answers name an
 * address at which there is nothing, so no file of it can be fetched.
 */
const hosts = [...ownHosts, ...projectHosts, workerdHost].filter(
  ({ name }) => name !== 'node:http with a base URL',
)

/** The hosts without variants, but for one under another path and behind a parser of bodies. */
const brief = hosts.filter(({ isVariant, name }) => !isVariant || /express.json.* under a prefix/.test(name))

/**
 * @param which whether variants of hosts are left out but for one, see `Host.isVariant`
 * @returns the servers of these hosts, node:http first, which run while the tests of this file run
 */
export function startedHosts(which: 'all' | 'brief'): readonly ClientSubject[] {
  const subjects: ClientSubject[] = []
  beforeAll(async () => {
    const running = await Promise.all((which === 'all' ? hosts : brief).map((host) => host.start()))
    subjects.push(...running.map(({ subject: { baseUrl, keys } }) => ({ baseUrl, key: keys.alice })))
    return () => Promise.all(running.map((host) => host.stop()))
  })
  return subjects
}

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
    const headers = { 'access-control-allow-origin': '*', 'content-type': 'image/png' }
    response.writeHead(200, headers).end('the bytes of a file')
  })
  const redirecting = await listen(({ url = '' }, response) => {
    // The page in which a browser runs the client, and its icon.
    if (url === '/v1/jobs/none' || !url.startsWith('/v1/'))
      return response.writeHead(200, { 'content-type': 'text/html' }).end()
    const status = url.startsWith('/v1/files/') ? 302 : 307
    return response.writeHead(status, { location: `${elsewhere.origin}${url}` }).end()
  })
  const [subject] = servers
  const createKeys: (string | undefined)[] = []
  const proxy = await startFaultProxy(subject!.baseUrl, ({ method, headers }) =>
    method === 'POST' ? losses[createKeys.push(headers['idempotency-key']) - 1] : undefined,
  )
  try {
    const failures = await clients[runtime]([
      ...servers,
      { baseUrl: redirecting.origin, key, fault: 'redirects' },
      { baseUrl: proxy.baseUrl, key: subject!.key, fault: 'losses' },
    ])
    expect(failures).toEqual([])
    expect(seenElsewhere).toHaveLength(1)
    expect(JSON.stringify(seenElsewhere)).not.toContain(key)
    expect(seenElsewhere[0]).not.toHaveProperty('authorization')
    expect(createKeys).toEqual(Array(losses.length + 1).fill(expect.any(String)))
    expect(new Set(createKeys).size).toBe(1)
  } finally {
    await Promise.all([elsewhere.stop(), redirecting.stop(), proxy.close()])
  }
}
