import { expect, test } from 'vitest'
import type { Provider } from '@genmount/core'
import { arkProvider } from '@genmount/provider-ark'
import { falProvider } from '@genmount/provider-fal'
import { geminiOmniProvider } from '@genmount/provider-google/omni'
import { googleProvider } from '@genmount/provider-google'
import { openaiProvider } from '@genmount/provider-openai'
import { replicateProvider } from '@genmount/provider-replicate'
import { xaiProvider } from '@genmount/provider-xai'

const refusing = (status: number, body: object) => async () => Response.json(body, { status })
const notFound = refusing(404, { detail: 'Not found.' })
const noVersion = refusing(422, { title: 'Invalid version or not permitted', detail: 'No such version.' })
const token = 'id:secret'

const wrong: readonly (readonly [string, Provider, string])[] = [
  [
    'Replicate',
    replicateProvider({
      token,
      fetch: notFound,
      models: { it: { model: 'acme/paintr', outputKind: 'image' } },
    }),
    'There is no Replicate model acme/paintr: Not found.',
  ],
  [
    'Replicate, a version',
    replicateProvider({
      token,
      fetch: noVersion,
      models: { it: { model: 'acme/painter:abc123', outputKind: 'image' } },
    }),
    'There is no Replicate model acme/painter:abc123: No such version.',
  ],
  [
    'fal',
    falProvider({
      token,
      fetch: notFound,
      models: { it: { endpoint: 'fal-ai/fluxx/dev', outputKind: 'image' } },
    }),
    'There is no fal endpoint fal-ai/fluxx/dev: Not found.',
  ],
  [
    'OpenAI',
    openaiProvider({ token, fetch: notFound, models: { it: { model: 'gpt-image-0' } } }),
    'There is no OpenAI model gpt-image-0: Not found.',
  ],
  [
    'Google',
    googleProvider({
      token,
      fetch: refusing(404, { error: { message: 'models/gemini-0-image is not found.' } }),
      models: { it: { model: 'gemini-0-image' } },
    }),
    'There is no Google model gemini-0-image: models/gemini-0-image is not found.',
  ],
  [
    'Google, a film',
    geminiOmniProvider({
      token,
      fetch: refusing(404, { error: { message: 'Model is not found.', code: 'not_found' } }),
      models: { it: { model: 'gemini-omni-0-flash' } },
    }),
    'There is no Google model gemini-omni-0-flash: Model is not found.',
  ],
  [
    'ModelArk',
    arkProvider({ token, fetch: notFound, models: { it: { model: 'seedance-0', outputKind: 'video' } } }),
    'There is no ModelArk model seedance-0: Not found.',
  ],
  [
    'xAI',
    xaiProvider({ token, fetch: notFound, models: { it: { model: 'grok-0', outputKind: 'image' } } }),
    'There is no xAI model grok-0: Not found.',
  ],
]

test.each(wrong)(
  'a job whose model the vendor does not have fails with the names of vendor and model: %s',
  async (_vendor, provider, message) => {
    const task = { jobId: 'job-1', model: 'it', input: { prompt: 'a fox', num_outputs: 1 }, clientToken: 'c' }
    const report = await provider.submit(task, { signal: new AbortController().signal })
    expect(report).toMatchObject({ state: 'failed', code: 'provider_rejected', message })
  },
)
