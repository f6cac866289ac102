import type { Provider } from '@genmount/core'
import * as v from 'valibot'

const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3, 4])

/** Takes the task on, and has finished it when it is first asked. */
export const myProvider = (): Provider => ({
  name: 'inline',
  models: [{ id: 'inline-image', outputKind: 'image', input: v.strictObject({ prompt: v.string() }) }],
  submit: async () => ({ state: 'running', handle: 'task', pollAfterMs: 50 }),
  poll: async () => ({ state: 'succeeded', outputs: [{ bytes: png }], costUsd: 0.01 }),
})
