import {
  type Backend,
  createGenerationService,
  type GenerationService,
  type GenerationServiceOptions,
  memoryBackend,
  type JobStore,
  type ServicePlugin,
} from '@genmount/core'
import { limits, type LimitsMethods } from '@genmount/core/limits'
import { usage, type UsageMethods } from '@genmount/core/usage'
import { webhooks, type WebhookMethods } from '@genmount/core/webhooks'
import { operator } from '@genmount/operator'
import {
  fakeProvider,
  type FakeProviderOptions,
  fakeWebhooks,
  manualClock,
  quietLog,
} from '@genmount/testing'
import { apiKeys, createV1Interface, type V1Options } from '@genmount/v1-interface'
import { openapiDocument } from '@genmount/v1-interface/openapi'
import { onTestFinished } from 'vitest'

/** What a test changes. */
export interface OperatedChanges {
  readonly provider?: FakeProviderOptions
  readonly options?: Partial<GenerationServiceOptions>
  readonly plugins?: readonly ServicePlugin[]
  readonly backend?: Backend
  readonly v1?: Partial<V1Options>
  /** Methods of the job store that are replaced. */
  readonly jobs?: Partial<JobStore>
}

/** The keys of clients and of operators. */
export const keys = { alice: 'alice-key', maria: 'maria-operator-key', otto: 'otto-operator-key' }
export const clientKeys = apiKeys({ alice: keys.alice, bob: 'bob-key' })
export const operatorKeys = apiKeys({ maria: keys.maria, otto: keys.otto })

type Service = GenerationService & LimitsMethods & UsageMethods & WebhookMethods

/** A service with all plugins that operators use, on a clock that stands still, and its /v1 interface. */
export function operated(changes: OperatedChanges = {}) {
  const clock = manualClock()
  const provider = fakeProvider({ clock, ...changes.provider })
  const log = quietLog()
  const receivers = fakeWebhooks()
  const backend = changes.backend ?? memoryBackend({ clock })
  const jobs = { ...backend.jobs, ...changes.jobs }
  const plugins = changes.plugins ?? [
    limits({ balance: false }),
    usage(),
    webhooks(receivers),
    operator({ authenticate: operatorKeys }),
  ]
  const service = createGenerationService({
    providers: [provider],
    clock,
    log,
    backend: { ...backend, jobs },
    plugins,
    ...changes.options,
  }) as Service
  onTestFinished(async () => {
    const closing = service.close({ timeoutMs: 2000 })
    await clock.advance(5000)
    await closing
  })
  const v1 = createV1Interface(service, {
    authenticate: clientKeys,
    openapi: openapiDocument({ access: 'public' }),
    ...changes.v1,
  } as V1Options)

  /** Sends a request. @param line such as `GET /v1/operator`. @param key `undefined` for none */
  async function ask(line: string, body?: unknown, key: string | undefined = keys.maria, more: object = {}) {
    const [method = '', target = ''] = line.split(' ')
    const headers: Record<string, string> = {
      host: 'media.test',
      ...(key !== '' && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...more,
    }
    const reply = await v1({
      method,
      path: target,
      target,
      mountPath: '',
      scheme: 'http',
      header: (name) => headers[name],
      headers: () => headers,
      body: () => ({ value: body }),
    } as Parameters<typeof v1>[0])
    const json = typeof reply.body === 'string' && reply.body !== '' ? JSON.parse(reply.body) : undefined
    return { status: reply.status, headers: reply.headers, json, code: json?.error?.code }
  }

  return {
    ask,
    clock,
    provider,
    log,
    receivers,
    service,
    jobs,
    /** Creates a job of alice with the model `fake-image`. */
    async create(input: object = {}, request: object = {}) {
      const { job } = await service.create({
        owner: 'alice',
        keyId: 'key-1',
        model: 'fake-image',
        input: { prompt: 'a fox', ...input } as never,
        ...request,
      })
      return job
    },
    /** Lets milliseconds pass, and what follows happen. */
    async pass(ms: number) {
      await clock.advance(ms)
    },
  }
}
