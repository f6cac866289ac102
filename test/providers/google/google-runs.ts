import { guardedFetch } from '@genmount/guarded-fetch'
import { googleProvider, type GoogleProviderOptions } from '@genmount/provider-google'
import { jobRuns, type JobRuns } from '../job-runs.ts'
import { type GoogleFake, googleFake, token } from './google-fake.ts'

export const video = 'veo-3.1-generate-preview'
export const omni = 'gemini-omni-1.2-flash'
export const image = 'gemini-3.1-flash-image'
export const videoPrice = { by: 'resolution', usd: { '720p': 0.4, '4k': 0.6 } }
export const omniPrice = { input: 1.5, textOutput: 9, videoOutput: 17.5 }
export const imagePrice = { input: 0.5, textOutput: 3, imageOutput: 60 }

export interface GoogleRuns extends JobRuns {
  readonly fake: GoogleFake
  /** When requests were sent, by the clock of the service. */
  readonly sentAt: readonly number[]
  connect(): ReturnType<typeof googleProvider>
}

/** Jobs of Google's models before the fake. */
export async function googleRuns(options: Partial<GoogleProviderOptions> = {}): Promise<GoogleRuns> {
  const fake = await googleFake()
  const sentAt: number[] = []
  const connect = () =>
    googleProvider({
      token,
      baseUrl: fake.baseUrl,
      models: {
        [video]: { price: videoPrice, allowedProviderOptions: ['personGeneration'] },
        [omni]: { price: omniPrice, allowedProviderOptions: ['service_tier', 'generation_config.seed'] },
        [image]: {
          price: imagePrice,
          allowedProviderOptions: ['safetySettings', 'generationConfig.temperature'],
        },
      },
      fetch(...request) {
        sentAt.push(runs.clock.now())
        return globalThis.fetch(...request)
      },
      fetchFile: (url, options) =>
        guardedFetch(url, { ...options, allowAddress: (address) => address === '127.0.0.1' }),
      ...options,
    })
  const runs: JobRuns = jobRuns(connect())
  return {
    ...runs,
    fake,
    sentAt,
    connect,
    async close() {
      await runs.close()
      await fake.close()
    },
  }
}
