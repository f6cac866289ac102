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

/** @param model the only model of the provider, `it` */
const answering =
  (make: (options: never) => Provider, model: object): Answering =>
  (status, body) => {
    const fetch = async () => Response.json(body, { status })
    return make({ token, fetch, models: { it: model } } as never)
  }

const outputKind = 'image'
export const fal = answering(falProvider, { endpoint: 'fal-ai/veo3', outputKind })
export const bfl = answering(bflProvider, { endpoint: 'flux-2-pro', outputKind })
export const openai = answering(openaiProvider, { model: 'gpt-image-2' })
export const google = answering(googleProvider, { model: 'gemini-nano-banana-2.1' })
export const replicate = answering(replicateProvider, { model: 'acme/painter', outputKind })
export const runway = answering(runwayProvider, { model: 'gen4_image', outputKind })
export const ark = answering(arkProvider, { model: 'seedream-4-5-251128', outputKind })
export const xai = answering(xaiProvider, { model: 'grok-imagine-image', outputKind })

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
  return { verdict: found.error?.code ?? found.phase, message: found.error?.message, lines }
}
