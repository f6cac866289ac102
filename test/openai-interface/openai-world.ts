import { createGenerationService, type GenerationServiceOptions } from '@genmount/core'
import { apiKeys, toNodeHandler, type V1Settings } from '@genmount/node-http'
import { openaiInterface, type OpenaiInterfaceOptions } from '@genmount/openai-interface'
import { fakeProvider, type FakeProviderOptions, quietLog } from '@genmount/testing'
import OpenAI from 'openai'
import { onTestFinished } from 'vitest'
import { served } from '../served.ts'
import { filmer, painter } from './models.ts'

export interface World {
  readonly openai?: OpenaiInterfaceOptions
  readonly service?: Partial<GenerationServiceOptions>
  /** The provider of the models `painter` and `filmer`. */
  readonly studio?: FakeProviderOptions
  readonly settings?: V1Settings
  readonly sdk?: ConstructorParameters<typeof OpenAI>[0]
}

/** A service with the interface on a port, and OpenAI's SDK as its client. */
export async function openaiWorld({
  openai,
  service: more,
  studio: studioOptions,
  settings,
  sdk,
}: World = {}) {
  const log = quietLog()
  const fake = fakeProvider()
  const studio = fakeProvider({ name: 'studio', models: [painter, filmer], ...studioOptions })
  const service = createGenerationService({ providers: [fake, studio], log, ...more })
  onTestFinished(() => service.close().then(() => {}))
  const authenticate = apiKeys({ alice: ['alice-key', 'alice-phone'], bob: 'bob-key' })
  const interfaces = [openaiInterface(openai)]
  const origin = await served(toNodeHandler(service, { authenticate, interfaces, ...settings }))
  const client = (options: ConstructorParameters<typeof OpenAI>[0] = {}) =>
    new OpenAI({ apiKey: 'alice-key', baseURL: `${origin}/openai/v1`, maxRetries: 0, ...sdk, ...options })
  return { origin, service, fake, studio, log, client, sdk: client() }
}
