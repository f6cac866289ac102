import type { Provider, ProviderTask } from '@genmount/core'
import * as v from 'valibot'
import type { VendorKind } from './task-vendor.ts'

/** The providers of a `taskVendor` at this address, one for each kind. They need fetch alone. */
export const taskProviders = (vendor: string): Provider[] =>
  (['finds', 'dedupes', 'plain'] as const).map((kind) => provider(vendor, kind))

const input = v.strictObject({
  prompt: v.string(),
  ms: v.number(),
  hold: v.optional(v.number()),
  holdPoll: v.optional(v.number()),
  losesAnswer: v.optional(v.boolean()),
})

/**
 * A model of the vendor that says by `clientToken` whether it has a task, or that makes a task once for each token, or that can
 * do neither.
 */
function provider(vendor: string, kind: VendorKind): Provider {
  const ask = async (path: string, body?: object) => {
    const init = body && { method: 'POST', body: JSON.stringify(body) }
    return (await (await fetch(vendor + path, init)).json()) as { id?: string; isDone?: boolean }
  }
  const running = (handle: string) => ({ state: 'running' as const, handle, pollAfterMs: 300 })
  return {
    name: kind,
    models: [{ id: kind, outputKind: 'image', input }],
    dedupesSubmits: kind === 'dedupes',
    async submit({ clientToken, input: task }) {
      return running((await ask('/tasks', { kind, clientToken, ...task })).id ?? '')
    },
    async poll({ handle }) {
      const { isDone } = await ask(`/tasks/${String(handle)}`)
      return isDone
        ? { state: 'succeeded', outputs: [{ url: 'https://cdn.example.com/kite.png' }], costUsd: 0.01 }
        : running(String(handle))
    },
    ...(kind === 'finds' && {
      async find({ clientToken }: ProviderTask) {
        const { id } = await ask(`/find/${clientToken}`)
        return id === undefined ? undefined : running(id)
      },
    }),
  }
}
