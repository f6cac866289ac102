import {
  createGenerationService,
  memoryBackend,
  type Model,
  type Output,
  type Provider,
  type ProviderReport,
} from '@genmount/core'
import * as v from 'valibot'
import { jobCount, pollAfterMs, readableBody } from './workload.ts'

const GenerationInput = v.strictObject({
  prompt: v.pipe(v.string(), v.minLength(1), v.maxLength(2000)),
  resolution: v.picklist(['480p', '720p', '1080p']),
  aspect_ratio: v.picklist(['16:9', '9:16', '1:1']),
  duration: v.pipe(v.number(), v.minValue(1), v.maxValue(60)),
})

/** A model whose jobs end with their first poll, and a model whose jobs end in their submit. */
const models: readonly Model[] = ['bench-video', 'bench-at-once'].map((id) => ({
  id,
  outputKind: 'video',
  input: GenerationInput,
}))

/** The service of genmount with a provider that needs hardly any CPU time. */
export async function benchService() {
  let openJobs = 0
  const outputs: readonly Output[] = [{ url: 'https://cdn.example.com/fox.mp4', contentType: 'video/mp4' }]
  const done: ProviderReport = { state: 'succeeded', outputs, costUsd: 0.35, inferenceMs: 8_000 }
  const provider: Provider = {
    name: 'bench',
    models,
    async submit({ model, jobId }) {
      if (model === 'bench-at-once') return done
      openJobs++
      return { state: 'running', handle: jobId, pollAfterMs }
    },
    async poll() {
      openJobs--
      return done
    },
  }
  const service = createGenerationService({
    providers: [provider],
    // Room for some 60,000 running jobs, the creates of a round: all are of one owner, who may hold half of the bytes.
    // More finished jobs stay than the 40,000 that the hand-written servers keep.
    backend: memoryBackend({ maxJobs: 200_000, maxBytes: 192 * 1024 * 1024 }),
    // All requests use the same key, so the limit for one owner must not apply.
    maxRunningJobsPerOwner: Number.MAX_SAFE_INTEGER,
    log: { warn: () => {}, error: console.error },
  })
  const { model, ...input } = readableBody
  const ids: string[] = []
  // The service itself does not keep the process alive.
  const hold = setInterval(() => {}, 1000)
  while (ids.length < jobCount) {
    const { job } = await service.create({ owner: 'alice', model, input })
    await service.waitFor(job.id, 'alice')
    ids.push(job.id)
  }
  clearInterval(hold)
  return { service, ids, openJobs: () => openJobs }
}
