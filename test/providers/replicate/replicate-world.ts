import {
  type Backend,
  createGenerationService,
  type GenerationServiceOptions,
  isFinished,
  type Job,
  memoryBackend,
  type Provider,
} from '@genmount/core'
import { replicateProvider, type ReplicateProviderOptions } from '@genmount/provider-replicate'
import { manualClock, type ManualClock, quietLog } from '@genmount/testing'
import { watchedCalls } from '../watched-calls.ts'
import { type FakeReplicate, knownVersion, startReplicate } from './fake-replicate.ts'

const models: ReplicateProviderOptions['models'] = {
  painter: { model: 'acme/painter', outputKind: 'image', price: 0.001 },
  film: { model: 'acme/film', outputKind: 'video', price: 0.001 },
  versioned: { model: `acme/painter:${knownVersion}`, outputKind: 'image' },
  troubled: { model: 'acme/troubled', outputKind: 'image', price: 0.001 },
}

export function providerFor(fake: FakeReplicate, options: Partial<ReplicateProviderOptions> = {}): Provider {
  return replicateProvider({ token: fake.token, baseUrl: fake.baseUrl, models, ...options })
}

/** A service on a clock of its own, before a fake Replicate. */
export interface World {
  readonly fake: FakeReplicate
  readonly clock: ManualClock
  /** The parts that outlive a service. */
  readonly jobs: Backend['jobs']
  create(model: string): Promise<Job>
  /** Lets time pass until the job is as wanted. */
  until(jobId: string, isWanted?: (job: Job) => boolean): Promise<Job>
  receiveCallback(jobId: string, ...webhook: Parameters<FakeReplicate['webhookOf']>): Promise<boolean>
  close(): Promise<void>
}

export async function replicateWorld(
  options: Partial<ReplicateProviderOptions> = {},
  { callbackBaseUrl }: Pick<GenerationServiceOptions, 'callbackBaseUrl'> = {},
): Promise<World> {
  const clock = manualClock()
  const fake = await startReplicate(clock.now)
  const { jobs } = memoryBackend()
  const calls = watchedCalls(providerFor(fake, options))
  const service = createGenerationService({
    providers: [calls.provider],
    backend: { ...memoryBackend({ clock }), jobs },
    keepOutputs: 'redirect',
    deadlineMs: 10 * 60_000,
    callbackBaseUrl,
    clock,
    log: quietLog(),
  } satisfies GenerationServiceOptions)

  const jobOf = async (id: string) => {
    const job = await jobs.get(id)
    if (job) return job
    throw new Error('The job is gone.')
  }

  /** Lets come what is on its way, the hashes in callback URLs included, which come from threads that no clock waits for. */
  async function settle(): Promise<void> {
    await clock.advance(0)
    if (callbackBaseUrl !== undefined) await crypto.subtle.digest('SHA-256', new Uint8Array(1))
    await clock.advance(0)
    while (calls.underWay() > 0) await new Promise((resolve) => setImmediate(resolve))
    await clock.advance(0)
  }

  return {
    fake,
    clock,
    jobs,
    create: async (model) =>
      (await service.create({ owner: 'alice', model, input: { prompt: 'a fox' } })).job,

    async until(jobId, isWanted = isFinished) {
      service.start()
      for (let seconds = 0; seconds < 1000; seconds++) {
        await settle()
        const job = await jobOf(jobId)
        if (isWanted(job)) return job
        await clock.advance(1000)
      }
      throw new Error(`The job is still ${(await jobOf(jobId)).phase}.`)
    },

    receiveCallback: (jobId, ...webhook) => service.receiveCallback(jobId, fake.webhookOf(...webhook)),

    async close() {
      await service.close()
      await fake.close()
    },
  }
}
