import { setTimeout as delay } from 'node:timers/promises'
import { GenerationError, type GenerationService, type Job, type JobRequest } from '@genmount/core'

/**
 * Creates a job with an idempotency key, and tries again until the store has taken the job. On a busy machine, a store may
 * need more time for a job than a create gives it.
 */
export async function created(service: GenerationService, request: JobRequest): Promise<Job> {
  const idempotency = { scope: 'test', key: crypto.randomUUID() }
  for (;;) {
    try {
      return (await service.create({ ...request, idempotency })).job
    } catch (error) {
      if (!(error instanceof GenerationError) || error.code !== 'store_unavailable') throw error
      await delay(100)
    }
  }
}
