import type { Provider } from '@genmount/core'
import * as v from 'valibot'

/** A provider whose tasks any process can poll, as those of a vendor. @param hangs whether its polls get no answer */
export function onePicture(hangs: boolean): Provider {
  return {
    name: 'one-picture',
    models: [{ id: 'one-picture', outputKind: 'image', input: v.object({ prompt: v.string() }) }],
    submit: async () => ({ state: 'running', handle: 1, pollAfterMs: 200 }),
    poll: () =>
      hangs
        ? new Promise(() => {})
        : Promise.resolve({ state: 'succeeded', outputs: [{ bytes: new Uint8Array([1]) }], costUsd: 0.01 }),
  }
}
