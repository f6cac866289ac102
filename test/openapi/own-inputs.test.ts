import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { createGenerationService } from '@genmount/core'
import { toFetchHandler } from '@genmount/fetch-handler'
import { replicateProvider } from '@genmount/provider-replicate'
import { apiKeys } from '@genmount/v1-interface'
import { quietLog } from '@genmount/testing'
import { z } from 'zod'

function host() {
  const posted: unknown[] = []
  const replicate = replicateProvider({
    token: 'r8_secret',
    models: {
      painter: {
        model: 'acme/painter',
        outputKind: 'image',
        fields: { image: 'image_input[3]', guidance: 'guidance_scale', negative_prompt: false },
        inputs: {
          lora_strength: z.number().min(0).max(2).default(1),
          loras: z.array(z.object({ path: z.string() })).optional(),
        },
      },
    },
    fetch: async (_url, init = {}) => {
      if (init.body) posted.push(await new Response(init.body).json())
      return Response.json({ id: 'p1', status: 'starting' }, { status: 201 })
    },
  })
  const service = createGenerationService({ providers: [replicate], log: quietLog() })
  const handle = toFetchHandler(service, { authenticate: apiKeys({ alice: 'a-long-enough-key' }) })
  const ask = async (path: string, json?: object) => {
    const headers = { authorization: 'Bearer a-long-enough-key', 'content-type': 'application/json' }
    const body = json && { method: 'POST', body: JSON.stringify(json) }
    const answer = await handle(new Request(`http://app.example${path}`, { headers, ...body }))
    return { status: answer.status, body: (await answer.json()) as any }
  }
  return { ask, posted, close: () => service.close() }
}

test('GET /v1/models shows the fields that an operator has added to a model, as the schemas of the operator say', async () => {
  const { ask, close } = host()
  const { body } = await ask('/v1/models')
  await close()
  const schema = body.data[0].input_schema
  expect(Object.keys(schema.properties)).toEqual(
    'prompt image aspect_ratio resolution seed guidance num_outputs lora_strength loras provider_options'.split(
      ' ',
    ),
  )
  expect(schema.properties.lora_strength).toEqual({ type: 'number', minimum: 0, maximum: 2, default: 1 })
  const isValid = new Ajv2020({ strictTypes: false }).compile(schema)
  expect(isValid({ prompt: 'a', lora_strength: 2, loras: [{ path: 'x' }] })).toBe(true)
  expect(isValid({ prompt: 'a', lora_strength: 3 })).toBe(false)
  expect(isValid({ prompt: 'a', loras: 'x' })).toBe(false)
})

test.each([
  [{ negative_prompt: 'snow' }, 'negative_prompt', 'negative_prompt is unknown'],
  [{ last_frame: 'https://example.com/a.png' }, 'last_frame', 'last_frame is unknown'],
  [{ lora_strength: 3 }, 'lora_strength', 'lora_strength: '],
  [{ loras: [{ path: 7 }] }, 'loras', 'loras.0.path: '],
])(
  'a create with %j gets a 400 that names the field, and the vendor gets no request',
  async (more, param, message) => {
    const { ask, posted, close } = host()
    const { status, body } = await ask('/v1/generate', { model: 'painter', prompt: 'a', ...more })
    await close()
    expect(status).toBe(400)
    expect(body.error).toMatchObject({ param, message: expect.stringContaining(message) })
    expect(posted).toEqual([])
  },
)
