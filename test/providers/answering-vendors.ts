import { type Clock, type Provider, routeModel } from '@genmount/core'
import { arkProvider } from '@genmount/provider-ark'
import { bflProvider } from '@genmount/provider-bfl'
import { falProvider } from '@genmount/provider-fal'
import { googleProvider } from '@genmount/provider-google'
import { klingProvider } from '@genmount/provider-kling'
import { openaiProvider } from '@genmount/provider-openai'
import { replicateProvider } from '@genmount/provider-replicate'
import { runpodProvider } from '@genmount/provider-runpod'
import { runwayProvider } from '@genmount/provider-runway'
import { xaiProvider } from '@genmount/provider-xai'
import { fakeProvider, quietLog } from '@genmount/testing'
import { serviceWorld } from './service-world.ts'

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
export const runpod = answering(runpodProvider, { endpoint: 'z-image-turbo', outputKind })
export const runway = answering(runwayProvider, { model: 'gen4_image', outputKind })
export const kling = answering(klingProvider, { model: 'kling-v3', outputKind })
export const ark = answering(arkProvider, { model: 'seedream-4-5-251128', outputKind })
export const xai = answering(xaiProvider, { model: 'grok-imagine-image', outputKind })

/** Runs one job for one minute with the provider, or with a second provider if the first one refuses the job. */
export async function outcomeOf(provider: Provider, hasSecond: boolean) {
  const log = quietLog()
  const connect = (clock: Clock) => {
    const second = fakeProvider({ clock })
    const spare = { provider: second, model: 'fake-image', mapInput: () => ({ prompt: 'a fox' }) }
    return [routeModel({ id: 'routed', routes: [{ provider, model: 'it' }, ...(hasSecond ? [spare] : [])] })]
  }
  const world = serviceWorld(connect, { log })
  const id = await world.create('routed')
  for (let second = 0; second < 60; second++) {
    await world.clock.advance(1000)
    await world.settle()
  }
  const { error, phase } = await world.job(id)
  await world.close()
  return { verdict: error?.code ?? phase, message: error?.message, lines: log.lines.join('\n') }
}
