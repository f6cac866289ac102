import { createGenerationService, memoryBackend, type Provider, routeModel } from '@genmount/core'
import { arkProvider } from '@genmount/provider-ark'
import { bflProvider } from '@genmount/provider-bfl'
import { falProvider } from '@genmount/provider-fal'
import { googleProvider } from '@genmount/provider-google'
import { openaiProvider } from '@genmount/provider-openai'
import { replicateProvider } from '@genmount/provider-replicate'
import { runwayProvider } from '@genmount/provider-runway'
import { xaiProvider } from '@genmount/provider-xai'
import { fakeProvider, manualClock, quietLog } from '@genmount/testing'

/** The key of this service at each vendor. */
export const token = 'key-id:0123456789abcdef-secret'

/** Makes a provider whose vendor answers every request with this status and body. */
type Answering = (status: number, body: unknown) => Provider

const vendor = (status: number, body: unknown) => ({
  token,
  fetch: async () => Response.json(body, { status }),
})

export const fal: Answering = (...answer) =>
  falProvider({ ...vendor(...answer), models: { it: { endpoint: 'fal-ai/veo3', outputKind: 'image' } } })
export const bfl: Answering = (...answer) =>
  bflProvider({ ...vendor(...answer), models: { it: { endpoint: 'flux-2-pro', outputKind: 'image' } } })
export const openai: Answering = (...answer) =>
  openaiProvider({ ...vendor(...answer), models: { it: { model: 'gpt-image-2' } } })
export const google: Answering = (...answer) =>
  googleProvider({ ...vendor(...answer), models: { it: { model: 'gemini-nano-banana-2.1' } } })
export const replicate: Answering = (...answer) =>
  replicateProvider({ ...vendor(...answer), models: { it: { model: 'acme/painter', outputKind: 'image' } } })
export const runway: Answering = (...answer) =>
  runwayProvider({ ...vendor(...answer), models: { it: { model: 'gen4_image', outputKind: 'image' } } })
export const ark: Answering = (...answer) =>
  arkProvider({ ...vendor(...answer), models: { it: { model: 'seedream-4-5-251128', outputKind: 'image' } } })
export const xai: Answering = (...answer) =>
  xaiProvider({ ...vendor(...answer), models: { it: { model: 'grok-imagine-image', outputKind: 'image' } } })

/** Runs one job for one minute with the provider, or with a second provider if the first one refuses the job. */
export async function outcomeOf(provider: Provider, hasSecond: boolean) {
  const clock = manualClock()
  const second = fakeProvider({ clock })
  const log = quietLog()
  const routes = [{ provider, model: 'it' }]
  const spare = { provider: second, model: 'fake-image', mapInput: () => ({ prompt: 'a fox' }) }
  const backend = memoryBackend({ clock })
  const service = createGenerationService({
    providers: [routeModel({ id: 'routed', routes: hasSecond ? [...routes, spare] : routes })],
    backend,
    clock,
    log,
  })
  service.start()
  const { job } = await service.create({ owner: 'alice', model: 'routed', input: { prompt: 'a fox' } })
  for (let second = 0; second < 60; second++) {
    await clock.advance(1000)
    await new Promise((resolve) => setImmediate(resolve))
  }
  const found = (await backend.jobs.get(job.id))!
  await service.close()
  const lines = log.lines.join('\n')
  return { verdict: found.error?.code ?? found.phase, told: found.error?.message, lines }
}
