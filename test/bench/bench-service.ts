import {
  createGenerationService,
  type GenerationServiceOptions,
  type Model,
  type Output,
  type Provider,
  type ProviderReport,
} from '@genmount/core'
import { setTimeout as sleep } from 'node:timers/promises'
import * as v from 'valibot'
import { exampleInput, owner } from './workload.ts'

/**
 * The models of the benches: the task of `bench-at-once` ends in its submit, that of `bench-video` with a poll, that of
 * `bench-called` with its callback, and that of `bench-long` never.
 */
export type BenchModel = 'bench-at-once' | 'bench-video' | 'bench-called' | 'bench-long'

const input = v.strictObject({
  prompt: v.pipe(v.string(), v.minLength(1), v.maxLength(2000)),
  resolution: v.picklist(['480p', '720p', '1080p']),
  aspect_ratio: v.picklist(['16:9', '9:16', '1:1']),
  duration: v.pipe(v.number(), v.minValue(1), v.maxValue(60)),
})
const modelOf = (id: BenchModel): Model => ({ id, outputKind: 'video', input })
const outputs: readonly Output[] = [{ url: 'https://cdn.example.com/fox.mp4', contentType: 'video/mp4' }]
const done: ProviderReport = { state: 'succeeded', outputs, costUsd: 0.35, inferenceMs: 8_000 }
const neverMs = 600_000

export interface BenchTasks {
  /** After how many milliseconds `bench-video` is polled. */
  readonly pollAfterMs?: number
  /** Whether the task of a job ends with this poll. @default each ends with its first */
  readonly isDone?: (jobId: string) => boolean
  /** @default that of the service */
  readonly maxConcurrentJobs?: number
  /** Whether the provider recognises a submit that is sent again. @default false */
  readonly dedupesSubmits?: boolean
  /** Called when `bench-called` has got a task. Without it, there is no such model. */
  readonly onCalled?: (callbackUrl: string) => void
}

/** Providers that need hardly any CPU time. Only that of the model `bench-called` has callbacks. */
export function benchProviders({
  pollAfterMs = neverMs,
  isDone = () => true,
  onCalled,
  ...more
}: BenchTasks = {}) {
  let openTasks = 0
  const provider: Provider = {
    ...more,
    name: 'bench',
    models: (['bench-at-once', 'bench-video', 'bench-long'] as const).map(modelOf),
    async submit({ model, jobId }, { callbackUrl = '' }) {
      if (model === 'bench-at-once') return done
      if (model === 'bench-called') onCalled?.(callbackUrl)
      openTasks++
      const isPolled = model === 'bench-video'
      return { state: 'running', handle: jobId, pollAfterMs: isPolled ? pollAfterMs : neverMs }
    },
    async poll({ jobId, handle, model }) {
      if (model === 'bench-video' && !isDone(jobId)) return { state: 'running', handle, pollAfterMs }
      openTasks--
      return done
    },
  }
  const calling: Provider = {
    ...provider,
    name: 'calling',
    models: [modelOf('bench-called')],
    readCallback: async ({ body }) => JSON.parse(new TextDecoder().decode(body)) as string,
  }
  /** `openTasks` says how many tasks the providers have accepted and not finished. */
  return { providers: onCalled ? [provider, calling] : [provider], openTasks: () => openTasks }
}

/** A service with these providers. All requests use the same key, so the limit for one owner does not apply. */
export function benchService(
  options: Omit<GenerationServiceOptions, 'providers'> & {
    readonly providers?: readonly Provider[]
  } = {},
) {
  return createGenerationService({
    providers: benchProviders().providers,
    maxRunningJobsPerOwner: Number.MAX_SAFE_INTEGER,
    log: { warn: () => {}, error: console.error },
    ...options,
  })
}

/** How often a create is tried that a service refuses. */
const maxTries = 50

/** Has a job created. A service whose store takes too long, on a busy machine, refuses: a client tries again. */
export async function created<Result>(create: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await create()
    } catch (error) {
      if (tries === maxTries) throw error
      await sleep(100)
    }
  }
}

/** Creates jobs, 100 at a time. Jobs that end in their submit are waited for. @returns their ids */
export async function createJobs(
  service: ReturnType<typeof benchService>,
  model: BenchModel,
  count: number,
  inputOf: (index: number) => Readonly<Record<string, unknown>> = exampleInput,
): Promise<readonly string[]> {
  // The service itself does not keep the process alive.
  const hold = setInterval(() => {}, 1000)
  const ids: string[] = []
  while (ids.length < count) {
    const some = Array.from({ length: Math.min(100, count - ids.length) }, async (_, index) => {
      const { job } = await service.create({ owner, model, input: inputOf(ids.length + index) })
      if (model === 'bench-at-once') await service.waitFor(job.id, owner)
      return job.id
    })
    ids.push(...(await Promise.all(some)))
    await new Promise((resolve) => setImmediate(resolve))
  }
  clearInterval(hold)
  return ids
}
