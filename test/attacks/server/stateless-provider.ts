import * as v from 'valibot'
import type { Output, Provider, ProviderReport } from '@genmount/core'

/** The outcome of a task. The handle contains all of it, so that no task stays in memory. */
type Fate = {
  /** In milliseconds since the Unix epoch. */
  readonly endsAt: number
  readonly outputMb: number
  readonly outputUrl: string | null
}

const million = 1e6
/** Made once for each size: all tasks of that size have the same bytes as their output. */
const films = new Map<number, Output>()

function filmOf(megabytes: number): Output {
  const film = films.get(megabytes) ?? { bytes: new Uint8Array(Math.max(1, megabytes * million)) }
  films.set(megabytes, film)
  return film
}

function reportOf(handle: Fate): ProviderReport {
  const { endsAt, outputMb, outputUrl } = handle
  if (Date.now() < endsAt) return { state: 'running', handle }
  return { state: 'succeeded', outputs: [outputUrl === null ? filmOf(outputMb) : { url: outputUrl }] }
}

/**
 * A provider that remembers no task, so that the memory of the server is that of genmount. Its model `anything` takes every
 * field, and the fields `delay_ms`, `output_mb` (millions of bytes) and `output_url` determine the outcome of a task.
 */
export function statelessProvider(): Provider {
  return {
    name: 'stateless',
    models: [{ id: 'anything', outputKind: 'video', input: v.looseObject({ prompt: v.string() }) }],
    async submit({ input: { delay_ms: delayMs, output_mb: outputMb, output_url: outputUrl } }) {
      const fate: Fate = {
        endsAt: Date.now() + Number(delayMs ?? 0),
        outputMb: Number(outputMb ?? 0),
        outputUrl: typeof outputUrl === 'string' ? outputUrl : null,
      }
      return reportOf(fate)
    },
    async poll({ handle }) {
      const fate = handle as Fate
      return reportOf(fate)
    },
  }
}
