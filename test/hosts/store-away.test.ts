import { type Backend, createGenerationService, type GenerationService, memoryBackend } from '@genmount/core'
import { toExpressMiddleware } from '@genmount/express-middleware'
import { toFetchHandler } from '@genmount/fetch-handler'
import { apiKeys, toNodeHandler } from '@genmount/node-http'
import { fakeProvider, quietLog } from '@genmount/testing'
import express from 'express'
import { expect, onTestFinished, test } from 'vitest'
import { served } from '../served.ts'

const options = { authenticate: apiKeys({ alice: 'alice-key' }) }

type Send = (path: string, init: RequestInit) => Promise<Response>

async function overSocket(listener: Parameters<typeof served>[0]): Promise<Send> {
  const origin = await served(listener)
  return (path, init) => fetch(origin + path, init)
}

const hosts: Record<string, (service: GenerationService) => Promise<Send>> = {
  'node:http': (service) => overSocket(toNodeHandler(service, options)),
  Express: (service) => overSocket(express().use(toExpressMiddleware(service, options))),
  async fetch(service) {
    const handle = toFetchHandler(service, options)
    return (path, init) => handle(new Request(`http://app.example${path}`, init))
  },
}

/** A backend whose store is away for as long as `isAway` says. */
function troubledBackend(isAway: () => boolean): Backend {
  const memory = memoryBackend()
  const { jobs } = memory
  const orFault =
    <Args extends unknown[], Result>(ask: (...args: Args) => Promise<Result>) =>
    async (...args: Args) => {
      if (isAway()) throw new Error('database is locked')
      return ask(...args)
    }
  return {
    ...memory,
    jobs: {
      ...jobs,
      insert: orFault(jobs.insert),
      get: orFault(jobs.get),
      findByIdempotencyKey: orFault(jobs.findByIdempotencyKey),
    },
  }
}

test.each(Object.keys(hosts))(
  'on %s a create is 503 with retry-after while the job store is away, and succeeds when the store is back',
  async (host) => {
    let isAway = true
    const provider = fakeProvider()
    const backend = troubledBackend(() => isAway)
    const service = createGenerationService({ providers: [provider], backend, log: quietLog() })
    onTestFinished(async () => void (await service.close()))
    const send = await hosts[host]!(service)
    const create = (path: string, headers: Record<string, string> = {}) =>
      send(path, {
        method: 'POST',
        headers: { authorization: 'Bearer alice-key', 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ model: 'fake-image', prompt: 'a kite' }),
      })
    const createEach = () =>
      Promise.all([
        create('/v1/generate'),
        create('/v1/generate?wait=true'),
        create('/v1/images/generations', { prefer: 'wait=50' }),
        create('/v1/generate?wait=true', { 'idempotency-key': 'one' }),
      ])

    const sentAt = performance.now()
    for (const reply of await createEach()) {
      expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '3'])
      expect(await reply.json()).toMatchObject({ error: { code: 'store_unavailable', param: null } })
    }
    expect(performance.now() - sentAt).toBeLessThan(10_000)
    expect(provider.submits).toEqual([])

    isAway = false
    const statuses = (await createEach()).map(({ status }) => status)
    expect(statuses).toEqual([202, 200, 200, 200])
  },
)
