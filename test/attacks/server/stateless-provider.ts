import * as v from 'valibot'
import type { Output, Provider, ProviderReport } from '@genmount/core'

const film: Output = { bytes: new Uint8Array(20_000_000) }
const picture: Output = { bytes: new Uint8Array(1) }

/** The task itself, so that none stays in memory: when it ends, in milliseconds since the Unix epoch, and its output. */
type Handle = { readonly endsAt: number; readonly output: string | null }

function reportOf(handle: Handle): ProviderReport {
  if (Date.now() < handle.endsAt) return { state: 'running', handle }
  const { output } = handle
  return {
    state: 'succeeded',
    outputs: [output === null ? picture : output === 'film' ? film : { url: output }],
  }
}

/**
 * A provider that remembers no task, so that the memory of the server is that of genmount. Its model `anything` takes every
 * field. A task lasts for `delay_ms`, and has one byte as its output, 20 MB with `output: 'film'`, or the file at the URL
 * `output`.
 */
export function statelessProvider(): Provider {
  return {
    name: 'stateless',
    models: [{ id: 'anything', outputKind: 'video', input: v.looseObject({ prompt: v.string() }) }],
    submit: async ({ input: { delay_ms: delayMs, output } }) =>
      reportOf({
        endsAt: Date.now() + Number(delayMs ?? 0),
        output: typeof output === 'string' ? output : null,
      }),
    poll: async ({ handle }) => reportOf(handle as Handle),
  }
}
