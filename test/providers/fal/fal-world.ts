import { onTestFinished } from 'vitest'
import { createGenerationService, memoryBackend, type Job, type ProviderTask } from '@genmount/core'
import { falProvider, type FalModel, type FalProviderOptions } from '@genmount/provider-fal'
import { manualClock, quietLog } from '@genmount/testing'
import { falKey, type FalFake, startFal } from './fal-fake.ts'

const models: Readonly<Record<string, FalModel>> = {
  'flux-schnell': {
    endpoint: 'fal-ai/flux/schnell',
    outputKind: 'image',
    price: 0.003,
    allowedProviderOptions: ['enable_safety_checker'],
  },
  'kling-video': {
    endpoint: 'fal-ai/kling-video/v2.5/turbo/text-to-video',
    outputKind: 'video',
    price: 0.07,
  },
}

export async function falFake(...options: Parameters<typeof startFal>): Promise<FalFake> {
  const fake = await startFal(...options)
  onTestFinished(() => fake.close())
  return fake
}

export const untroubled = { signal: new AbortController().signal }

export const providerAt = (fake: FalFake, options: Partial<FalProviderOptions> = {}) =>
  falProvider({ token: falKey, models, fetch: fake.fetch, ...options })

export const pictureTask: ProviderTask = {
  jobId: 'job-1',
  model: 'flux-schnell',
  input: { prompt: 'a fox' },
  clientToken: 'token-1',
}

/** A service in front of the fake, with a clock that the test advances. */
export async function falWorld(options: Partial<FalProviderOptions> = {}) {
  const fake = await falFake()
  const clock = manualClock()
  const { jobs } = memoryBackend({ clock })

  /** A process: all of them share the jobs. */
  function startService() {
    const service = createGenerationService({
      providers: [providerAt(fake, { now: clock.now, ...options })],
      backend: { ...memoryBackend({ clock }), jobs },
      clock,
      log: quietLog(),
    })
    onTestFinished(async () => void (await service.close()))
    return service
  }

  const service = startService()

  async function create(
    input: Readonly<Record<string, unknown>> = { prompt: 'a fox' },
    model = 'flux-schnell',
  ) {
    return (await service.create({ owner: 'alice', model, input })).job.id
  }

  /** Advances the clock second by second, and lets the sockets work in between, until the job is as wanted. */
  async function until(isWanted: (job: Job) => boolean, id: string): Promise<Job> {
    for (let round = 0; round < 600; round++) {
      const job = await jobs.get(id)
      if (job && isWanted(job)) return job
      await fake.quiet()
      await clock.advance(round < 200 ? 1000 : 20_000)
    }
    throw new Error(`Job ${id} has not come so far in hours.`)
  }

  const end = (id: string) => until(({ phase }) => phase === 'completed' || phase === 'failed', id)

  return { fake, clock, jobs, service, startService, create, until, end }
}
