import * as v from 'valibot'
import type { Output, Provider, ProviderCall, ProviderReport, RunningTask } from '@genmount/core'
import { fakeFile } from '@genmount/testing'

/** The task itself, so that none stays in memory: when it ends, in milliseconds since the Unix epoch, and how. */
interface Handle {
  readonly [name: string]: number | string
  readonly endsAt: number
  readonly ends: string
  readonly words: string
}

const longestTaskMs = 1500
const input = v.looseObject({ prompt: v.string(), image: v.optional(v.string()) })

/**
 * A provider that remembers no task and repeats what clients write in its errors, as vendors do. The field `ends` of the
 * input says how a job ends, and `delay_ms` when. It tells the address of each callback.
 */
export function doorsProvider(tellCallbackUrl: (url: string) => void): Provider {
  return {
    name: 'doors',
    models: [
      { id: 'doors-image', outputKind: 'image', input },
      { id: 'doors-film', outputKind: 'video', input },
    ],
    async submit({ model, input: { prompt, ends, delay_ms: delayMs } }, { callbackUrl }: ProviderCall) {
      if (callbackUrl !== undefined) tellCallbackUrl(callbackUrl)
      const lastsMs = Math.min(longestTaskMs, Math.max(0, Number(delayMs) || 0))
      const words = String(prompt).slice(0, 2000)
      if (ends === 'thrown') throw new Error(words)
      if (ends === 'refused') return { state: 'refused', message: words, retryAfterMs: 200 }
      return reportOf(model, { endsAt: Date.now() + lastsMs, ends: String(ends), words })
    },
    poll: async ({ model, handle }: RunningTask) => reportOf(model, handle as Handle),
    async readCallback({ body }) {
      const text = new TextDecoder().decode(body)
      if (!text.startsWith('{"handle":')) throw new Error(`This is no callback: ${text}`)
      return text.slice(0, 100)
    },
  }
}

function reportOf(model: string, handle: Handle): ProviderReport {
  const { endsAt, ends, words } = handle
  if (Date.now() < endsAt) return { state: 'running', handle, pollAfterMs: 100, progress: 0.5 }
  if (ends === 'lost') return { state: 'unknown', message: words }
  if (ends === 'failed')
    return { state: 'failed', code: 'provider_failed', message: words, cause: new Error(words) }
  const file = fakeFile(model === 'doors-film' ? 'video' : 'image', 0)
  const text: Output = { bytes: new TextEncoder().encode(words) }
  return { state: 'succeeded', costUsd: 0.01, outputs: ends === 'text' ? [text] : [file, file] }
}
