import { apiKeys, toNodeHandler } from '@genmount/node-http'
import { createGenerationService, type Provider } from '@genmount/core'
import { a1111Provider } from '@genmount/provider-a1111'
import { aiSdkProvider } from '@genmount/provider-ai-sdk'
import { arkProvider } from '@genmount/provider-ark'
import { bflProvider } from '@genmount/provider-bfl'
import { comfyuiProvider } from '@genmount/provider-comfyui'
import { comfyApiProvider } from '@genmount/provider-comfyui/api-v2'
import { comfyRouterProvider } from '@genmount/provider-comfyui/router'
import { falProvider } from '@genmount/provider-fal'
import { googleProvider } from '@genmount/provider-google'
import { geminiOmniProvider } from '@genmount/provider-google/omni'
import { klingProvider } from '@genmount/provider-kling'
import { openaiProvider } from '@genmount/provider-openai'
import { openaiCompatible } from '@genmount/provider-openai/compatible'
import { openrouterProvider } from '@genmount/provider-openai/openrouter'
import { openaiResponsesProvider } from '@genmount/provider-openai/responses'
import { openaiVideosProvider } from '@genmount/provider-openai/videos'
import { replicateProvider } from '@genmount/provider-replicate'
import { runpodProvider } from '@genmount/provider-runpod'
import { runwayProvider } from '@genmount/provider-runway'
import { xaiProvider } from '@genmount/provider-xai'
import { createClient } from '@genmount/client'
import { expect, onTestFinished, test } from 'vitest'
import { served } from '../served.ts'

const description = 'Draws a kite.'
const [image, video] = [{ outputKind: 'image' }, { outputKind: 'video' }] as const
const token = 'key'
const baseUrl = 'http://127.0.0.1:9'
const workflow = {
  workflow: { '6': { class_type: 'CLIPTextEncode', inputs: { text: 'a fox' } } },
  inputs: { prompt: { node: '6', field: 'text' } },
}
const sdkModel = {
  specificationVersion: 'v3',
  provider: 'acme',
  modelId: 'a',
  maxImagesPerCall: 1,
  doGenerate: async () => ({ images: [], warnings: [], response: {} }),
}

/** A model of each provider whose models the app names. `more` is what the app says about the model. */
const providers: Readonly<Record<string, (more: { description?: string }) => Provider>> = {
  a1111: (more) => a1111Provider({ baseUrl, models: { m: { ...more } } }),
  'ai-sdk': (more) => aiSdkProvider({ models: { m: { model: sdkModel as never, ...more } } }),
  ark: (more) => arkProvider({ token, models: { m: { model: 'seedream-5', ...image, ...more } } }),
  bfl: (more) => bflProvider({ token, models: { m: { endpoint: 'flux-2-pro', ...image, ...more } } }),
  comfyui: (more) => comfyuiProvider({ baseUrl, models: { m: { ...workflow, ...image, ...more } } }),
  'comfy api': (more) => comfyApiProvider({ token, models: { m: { ...workflow, ...image, ...more } } }),
  'comfy router': (more) =>
    comfyRouterProvider({
      token,
      models: { m: { model: 'acme/a', fields: { prompt: 'prompt' }, ...image, ...more } },
    }),
  fal: (more) => falProvider({ token, models: { m: { endpoint: 'acme/flux', ...image, ...more } } }),
  google: (more) => googleProvider({ token, models: { m: { model: 'gemini-3-image', ...more } } }),
  'google omni': (more) => geminiOmniProvider({ token, models: { m: { model: 'gemini-omni', ...more } } }),
  kling: (more) => klingProvider({ token, models: { m: { model: 'kling-v3', ...video, ...more } } }),
  openai: (more) => openaiProvider({ token, models: { m: { model: 'gpt-image-2', ...more } } }),
  'openai compatible': (more) => openaiCompatible({ baseUrl, models: { m: { model: 'flux', ...more } } }),
  openrouter: (more) => openrouterProvider({ token, models: { m: { model: 'acme/flux', ...more } } }),
  'openai responses': (more) =>
    openaiResponsesProvider({
      token,
      models: { m: { model: 'gpt-image-2', caller: { model: 'gpt-5.6-luna' }, ...more } },
    }),
  'openai videos': (more) => openaiVideosProvider({ baseUrl, models: { m: { model: 'wan', ...more } } }),
  replicate: (more) => replicateProvider({ token, models: { m: { model: 'acme/flux', ...image, ...more } } }),
  runpod: (more) => runpodProvider({ token, models: { m: { endpoint: 'flux', ...image, ...more } } }),
  runway: (more) => runwayProvider({ token, models: { m: { model: 'gen4.5', ...video, ...more } } }),
  xai: (more) => xaiProvider({ token, models: { m: { model: 'grok-imagine', ...image, ...more } } }),
}

test.each(Object.entries(providers))(
  'a model of %s has the description that the app gives it, and none by itself',
  (_name, make) => {
    expect(make({ description }).models[0]!.description).toBe(description)
    expect(make({}).models[0]!.description).toBeUndefined()
    expect(() => make({ description: '' })).toThrow(/models\['m'\].description must be a text/)
  },
)

test('clients read the description of a model that the app has named', async () => {
  const service = createGenerationService({ providers: [providers['fal']!({ description })] })
  onTestFinished(async () => void (await service.close()))
  const address = await served(
    toNodeHandler(service, { authenticate: apiKeys({ alice: 'alice-key-0123456' }) }),
  )
  const client = createClient({ baseUrl: address, apiKey: 'alice-key-0123456' })
  expect(await client.models()).toMatchObject([{ id: 'm', description }])
})
