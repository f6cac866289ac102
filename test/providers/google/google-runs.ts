import { type GeminiOmniModel, geminiOmniProvider } from '@genmount/provider-google/omni'
import { googleProvider, type GoogleProviderOptions } from '@genmount/provider-google'
import { fetchLoopbackFile } from '../fetch-loopback-file.ts'
import { serviceWorld, type ServiceWorld } from '../service-world.ts'
import { googleFake, token } from './google-fake.ts'

export const omni = 'gemini-omni-1.2-flash'
export const image = 'gemini-nano-banana-2.1'
const omniPrice = { input: 1.5, textOutput: 9, videoOutput: 17.5 }
const imagePrice = { input: 1.5, textOutput: 7.5, imageOutput: 30 }

export type GoogleRuns = Awaited<ReturnType<typeof googleRuns>>

/**
 * Jobs of Google's models before the fake, by the providers of both APIs.
 * @param price of the films of Gemini Omni
 */
export async function googleRuns(
  { fetchFile = fetchLoopbackFile }: Pick<GoogleProviderOptions, 'fetchFile'> = {},
  price: GeminiOmniModel['price'] = omniPrice,
) {
  const fake = await googleFake()
  const sentAt: number[] = []
  const shared = {
    token,
    baseUrl: fake.baseUrl,
    fetchFile,
    fetch(...request: Parameters<typeof fetch>) {
      sentAt.push(runs.clock.now())
      return globalThis.fetch(...request)
    },
  }
  const connect = () => {
    const allowedProviderOptions = ['service_tier', 'generation_config.seed']
    return geminiOmniProvider({ ...shared, models: { [omni]: { price, allowedProviderOptions } } })
  }
  const gemini = {
    price: imagePrice,
    allowedProviderOptions: ['safetySettings', 'generationConfig.temperature'],
  }
  const runs: ServiceWorld = serviceWorld(
    () => [connect(), googleProvider({ ...shared, models: { [image]: gemini } })],
    { vendor: fake },
  )
  return {
    ...runs,
    fake,
    /** When requests were sent, by the clock of the service. */
    sentAt,
    /** Another process with the provider of Gemini Omni. */
    connect,
  }
}
