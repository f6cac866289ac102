import type { JsonObject } from '@genmount/core'
import { klingProvider, type KlingModel } from '@genmount/provider-kling'
import { onTestFinished } from 'vitest'
import { startKling, token } from './kling-fake.ts'

export const { signal } = new AbortController()
export const clip = 'https://films.example.com/fox.mp4'
export const clientToken = '7b1c6d4e-0f3a-4c7e-9d51-2b8460f3a9c7'

export const film = (model: string): KlingModel => ({ model, outputKind: 'video' })
export const image = (model: string): KlingModel => ({ model, outputKind: 'image' })

/** A provider in front of a fake of Kling, whose tasks end at once. */
export async function kling(models: Readonly<Record<string, KlingModel>>, more: object = {}) {
  const fake = await startKling({ polls: 0 })
  onTestFinished(() => fake.close())
  const provider = klingProvider({ token, baseUrl: fake.origin, models, ...more })
  const taskOf = (model: string, input: JsonObject) => ({ jobId: 'job', model, input, clientToken })
  return {
    fake,
    provider,
    taskOf,
    submit: (model: string, input: JsonObject, callbackUrl?: string) =>
      provider.submit(taskOf(model, input), { signal, callbackUrl }),
    /** The first poll after the submit. */
    async end(model: string, input: JsonObject) {
      const report = await provider.submit(taskOf(model, input), { signal })
      if (report.state !== 'running') return report
      return provider.poll({ ...taskOf(model, input), handle: report.handle }, { signal })
    },
  }
}
