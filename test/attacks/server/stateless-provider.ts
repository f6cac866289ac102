import * as v from 'valibot'
import type { Output, Provider, ProviderReport } from '@genmount/core'
import sharp from 'sharp'

const film: Output = { bytes: new Uint8Array(20_000_000) }
const picture: Output = { bytes: new Uint8Array(1) }

/** A picture of 39 million pixels in 114 kB, made when it is first asked for. */
let black: Promise<Output> | undefined

async function blackPicture(): Promise<Output> {
  const create = { width: 6500, height: 6000, channels: 3, background: 'black' } as const
  return { bytes: await sharp({ create, limitInputPixels: false }).png({ compressionLevel: 9 }).toBuffer() }
}

async function outputOf(name: string | null): Promise<Output> {
  if (name === null) return picture
  if (name === 'film') return film
  return name === 'black' ? (black ??= blackPicture()) : { url: name }
}

/** The task itself, so that none stays in memory: when it ends, in milliseconds since the Unix epoch, and its output. */
type Handle = { readonly endsAt: number; readonly output: string | null }

async function reportOf(handle: Handle): Promise<ProviderReport> {
  if (Date.now() < handle.endsAt) return { state: 'running', handle }
  return { state: 'succeeded', outputs: [await outputOf(handle.output)] }
}

/**
 * A provider that remembers no task, so that the memory of the server is that of genmount. Its model `anything` takes every
 * field. A task lasts for `delay_ms`, and has one byte as its output, 20 MB with `output: 'film'`, a picture of 39 million
 * pixels with `output: 'black'`, or the file at the URL `output`.
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
