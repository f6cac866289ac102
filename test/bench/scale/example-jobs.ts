import { createGenerationService, type Backend, type Provider } from '@genmount/core'
import * as v from 'valibot'

export const owner = 'alice'
const model = 'bench-video'
/** How many jobs run at the same time. */
const atATime = 100

/** An input whose request has some 300 bytes. Each index gives a slightly different one. */
export function exampleInput(index: number) {
  return {
    prompt:
      `Scene ${index}: a red fox crosses a snowy clearing at dawn, low sun behind the pines, breath visible in the ` +
      'cold air, slow dolly shot at knee height, shallow depth of field, 35 mm film look.',
    resolution: '720p',
    aspect_ratio: '16:9',
    duration: 6,
  }
}

/** The service of genmount with a provider that finishes its tasks at once, or never. */
export function exampleService(backend: Backend, isDoneAtOnce = true) {
  const input = v.strictObject({
    prompt: v.string(),
    resolution: v.string(),
    aspect_ratio: v.string(),
    duration: v.number(),
  })
  const provider: Provider = {
    name: 'bench',
    models: [{ id: model, outputKind: 'video', input }],
    submit: async ({ jobId }) =>
      isDoneAtOnce
        ? { state: 'succeeded', outputs: [{ url: `https://cdn.example.com/${jobId}.mp4` }], costUsd: 0.35 }
        : { state: 'running', handle: jobId, pollAfterMs: 600_000 },
    poll: async ({ jobId }) => ({ state: 'running', handle: jobId, pollAfterMs: 600_000 }),
  }
  const service = createGenerationService({
    providers: [provider],
    backend,
    maxRunningJobsPerOwner: Number.MAX_SAFE_INTEGER,
    log: { warn() {}, error: console.error },
  })

  /** Creates jobs, and waits until the provider has reported on each. @returns their ids */
  async function create(count: number): Promise<readonly string[]> {
    const ids: string[] = []
    while (ids.length < count) {
      const some = Array.from({ length: Math.min(atATime, count - ids.length) }, async (_, index) => {
        const { job } = await service.create({ owner, model, input: exampleInput(ids.length + index) })
        if (isDoneAtOnce) await service.waitFor(job.id, owner)
        return job.id
      })
      ids.push(...(await Promise.all(some)))
      await new Promise((resolve) => setImmediate(resolve))
    }
    return ids
  }

  return { service, model, create }
}
