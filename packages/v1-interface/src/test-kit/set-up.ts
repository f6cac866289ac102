import { createGenerationService, type GenerationService } from '@genmount/core'
import { fakeProvider, quietLog } from '@genmount/testing'
import { afterEach } from 'vitest'
import { apiKeys } from '../access/api-keys.ts'
import { openapiDocument } from '../openapi/openapi-document.ts'
import { createV1Interface } from '../interface/v1-interface.ts'
import type { V1Options } from '../interface/v1-options.ts'
import { v1Path } from '../interface/base-url.ts'

export const kite = { model: 'fake-image', prompt: 'a kite' }
export const slowKite = { ...kite, delay_ms: 600_000 }
export const options: V1Options = {
  authenticate: apiKeys({ alice: 'alice-key', bob: 'bob-key' }),
  openapi: openapiDocument(),
}
const open: GenerationService[] = []

afterEach(async () => {
  await Promise.all(open.splice(0).map((service) => service.close()))
})

export interface Overrides {
  readonly service?: Partial<GenerationService>
  readonly options?: Partial<V1Options>
  readonly fromHost?: { readonly request: unknown }
}

/** Mounts the interface at /m over a service, and returns a client for it. Both are closed after each test. */
export function setUp(overrides: Overrides = {}) {
  const log = quietLog()
  const service = createGenerationService({ providers: [fakeProvider()], log, waitBudgetMs: 2000 })
  open.push(service)
  const answer = createV1Interface({ ...service, ...overrides.service }, {
    ...options,
    ...overrides.options,
  } as V1Options)
  let bodyReads = 0

  async function ask(line: string, body?: unknown, extraHeaders: Record<string, string> = {}) {
    const [method = '', target = ''] = line.split(' ')
    const json = body === undefined ? {} : { 'content-type': 'application/json' }
    const headers = { host: 'media.test', authorization: 'Bearer alice-key', ...json, ...extraHeaders }
    const reply = await answer({
      method,
      path: v1Path(target, '/m'),
      target,
      mountPath: '/m',
      scheme: 'http',
      header: (name) => (headers as Record<string, string>)[name],
      headers: () => headers,
      fromHost: overrides.fromHost,
      body: () => {
        bodyReads++
        return { value: body }
      },
    })
    return {
      ...reply,
      body: reply.body,
      json:
        typeof reply.body === 'string' && reply.headers['content-type'] === 'application/json'
          ? JSON.parse(reply.body)
          : undefined,
    }
  }
  return { ask, log, service, bodyReads: () => bodyReads }
}
