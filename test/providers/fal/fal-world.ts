import { callbacks } from '@genmount/core/callbacks'
import { onTestFinished } from 'vitest'
import type { ProviderTask } from '@genmount/core'
import { type FalModel, falProvider, type FalProviderOptions } from '@genmount/provider-fal'
import { serviceWorld } from '../service-world.ts'
import { type FalFake, falKey, startFal } from './fal-fake.ts'

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

export async function falFake(...options: Parameters<typeof startFal>) {
  const fake = await startFal(...options)
  onTestFinished(() => fake.close())
  return fake
}

export const untroubled = { signal: new AbortController().signal }

export const providerAt = ({ fetch }: Pick<FalFake, 'fetch'>, options: Partial<FalProviderOptions> = {}) =>
  falProvider({ token: falKey, models, fetch, ...options })

export const pictureTask: ProviderTask = {
  jobId: 'job-1',
  model: 'flux-schnell',
  input: { prompt: 'a fox' },
  clientToken: 'token-1',
}

/** A service in front of the fake. */
export async function falWorld() {
  const fake = await falFake()
  const world = serviceWorld(({ now }) => [providerAt(fake, { now })], {
    vendor: fake,
    plugins: [callbacks({ baseUrl: 'https://app.example' })],
    keepOutputs: 'redirect',
  })
  onTestFinished(world.close)
  return { ...world, fake, create: (input?: object, model = 'flux-schnell') => world.create(model, input) }
}
