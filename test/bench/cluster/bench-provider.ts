import type { Model, Output, Provider, ProviderReport } from '@genmount/core'
import * as v from 'valibot'

const input = v.object({
  prompt: v.string(),
  resolution: v.string(),
  aspect_ratio: v.string(),
  duration: v.number(),
})

/**
 * The models of the bench: `at-once` ends in its submit, `polled` with its second poll after 2 seconds, `long` does not
 * end, and `called` ends with its callback.
 */
const modelOf = (id: string): Model => ({ id, outputKind: 'video', input })

/** Quiet polls, which write once, are at least a second apart. */
const pollAfterMs = 1050
const neverMs = 600_000
const polls = 2

/** What the tasks of the model `called` do. */
export interface CalledBack {
  /** Sends the callback to this path. */
  readonly send: (path: string) => unknown
  /** How long after its submit the task is done, in milliseconds. */
  readonly afterMs: number
}

/** Providers that need hardly any CPU time. Only that of the model `called` has callbacks. */
export function benchProviders(calledBack: () => CalledBack | undefined): readonly Provider[] {
  const outputs: readonly Output[] = [{ url: 'https://cdn.example.com/fox.mp4', contentType: 'video/mp4' }]
  const done: ProviderReport = { state: 'succeeded', outputs, costUsd: 0.35, inferenceMs: 8_000 }
  const polled = new Map<string, number>()
  const provider: Provider = {
    name: 'bench',
    // Steps are to wait for nothing but the database.
    maxConcurrentJobs: 10_000,
    models: ['at-once', 'polled', 'long'].map(modelOf),
    async submit({ model, jobId }, { callbackUrl = '' }) {
      if (model === 'at-once') return done
      const { send, afterMs } = calledBack() ?? {}
      if (model === 'called') setTimeout(() => send?.(new URL(callbackUrl).pathname), afterMs)
      return { state: 'running', handle: jobId, pollAfterMs: model === 'polled' ? pollAfterMs : neverMs }
    },
    async poll({ jobId, handle, model }) {
      const count = (polled.get(jobId) ?? 0) + 1
      polled.set(jobId, count)
      if (model === 'polled' && count < polls) return { state: 'running', handle, pollAfterMs }
      polled.delete(jobId)
      return done
    },
  }
  return [
    provider,
    {
      ...provider,
      name: 'calling',
      models: [modelOf('called')],
      readCallback: async ({ body }) => JSON.parse(new TextDecoder().decode(body)) as string,
    },
  ]
}
