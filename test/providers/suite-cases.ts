import { openaiProvider } from '@genmount/provider-openai'
import { replicateProvider } from '@genmount/provider-replicate'
import { providerSuite } from '@genmount/testing'
import { token } from './openai/openai-errors.ts'
import { openaiFake } from './openai/openai-fake.ts'
import { startReplicate } from './replicate/fake-replicate.ts'

const openai = providerSuite(async () => {
  const { baseUrl, close } = await openaiFake()
  const models = { painter: { model: 'gpt-image-2' } }
  return {
    provider: (baseUrl) => openaiProvider({ token, baseUrl, models }),
    vendor: baseUrl,
    secrets: [token],
    close,
  }
}, [{ model: 'painter', input: { prompt: 'a fox' } }])

const replicate = providerSuite(async () => {
  const { baseUrl, token, webhookSecret, fetch, close } = await startReplicate()
  const models = { painter: { model: 'acme/painter', outputKind: 'image' } } as const
  return {
    provider: (baseUrl) => replicateProvider({ token, webhookSecret, baseUrl, models }),
    vendor: baseUrl,
    secrets: [token],
    fetch,
    close,
  }
}, [{ model: 'painter', input: { prompt: 'a fox' } }])

/** The suite of providers, faults included, for one that answers at once and one with tasks. */
export const suiteCases: Record<string, () => Promise<void>> = Object.fromEntries(
  Object.entries({ openai, replicate }).flatMap(([provider, suite]) =>
    Object.entries(suite).map(([name, run]) => [`${provider} in its suite: ${name}`, run]),
  ),
)
