import {
  createGenerationService,
  type GenerationServiceOptions,
  type JsonObject,
  type Provider,
} from '@genmount/core'
import { uploads } from '@genmount/core/uploads'
import { closedInput, field, modelInput } from '@genmount/provider-kit'
import { apiKeys, toNodeHandler } from '@genmount/node-http'
import { fakeFile, quietLog } from '@genmount/testing'
import * as v from 'valibot'
import { onTestFinished } from 'vitest'
import { served } from '../served.ts'

const rules = { types: ['png'] } as const
const seed = v.optional(field.wholeNumber('seed', 0, 1000))
const num_outputs = v.optional(field.wholeNumber('num_outputs', 1, 2), 1)

const inputs = {
  picture: {
    prompt: field.text('prompt', 4000),
    size: v.optional(field.choice('size', ['1024x1024', '512x512'])),
    aspect_ratio: v.optional(field.aspectRatio()),
    image: v.optional(field.picture('image', rules)),
    mask: v.optional(field.picture('mask', rules)),
    seed,
    num_outputs,
  },
  sides: {
    prompt: field.text('prompt', 4000),
    width: v.optional(field.wholeNumber('width', 1, 4096)),
    height: v.optional(field.wholeNumber('height', 1, 4096)),
    image: v.optional(field.pictureList('image', 4, rules)),
  },
  film: {
    prompt: field.text('prompt', 4000),
    resolution: v.optional(field.choice('resolution', ['480p', '720p'])),
    duration: v.optional(field.wholeNumber('duration', 1, 10)),
    image: v.optional(field.picture('image', rules)),
    last_frame: v.optional(field.picture('last_frame', rules)),
    sound: v.optional(v.boolean()),
  },
}

/** A server whose models are `picture`, `sides` and `film`. A prompt `refuse` makes the job fail. */
export async function startServer(options: Partial<GenerationServiceOptions> = {}) {
  const made: JsonObject[] = []
  const provider: Provider = {
    name: 'maker',
    models: (['picture', 'sides', 'film'] as const).map((id) => ({
      id,
      outputKind: id === 'film' ? 'video' : 'image',
      input: modelInput(closedInput(inputs[id])),
    })),
    async submit({ input, model }) {
      made.push(input)
      if (input['prompt'] === 'refuse')
        return { state: 'failed', code: 'content_policy', message: 'not this', costUsd: 0 }
      const { bytes } = fakeFile(model === 'film' ? 'video' : 'image')
      const outputs = Array.from({ length: Number(input['num_outputs'] ?? 1) }, () => ({ bytes }))
      return { state: 'succeeded', outputs, costUsd: 0.25 }
    },
    async poll() {
      throw new Error('Nothing is polled.')
    },
  }
  const service = createGenerationService({
    providers: [provider],
    plugins: [uploads()],
    log: quietLog(),
    ...options,
  })
  onTestFinished(async () => void (await service.close()))
  const baseUrl = await served(toNodeHandler(service, { authenticate: apiKeys({ alice: 'alice-key' }) }))
  return { options: { baseUrl, apiKey: 'alice-key' }, made, service }
}
