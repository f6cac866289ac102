import { type JsonObject } from '@genmount/core'
import { expect, test } from 'vitest'
import { openModel, type OpenModelOptions, openModelOptions } from './open-model.ts'
import { checkOptions } from '@genmount/core'

function inputOf(options: Partial<OpenModelOptions>) {
  const at = "acme: models['it']"
  return openModel(at, checkOptions(at, { outputKind: 'video', ...options }, openModelOptions)).input
}

/** The error message for an input, or the parsed input. */
async function read(options: Partial<OpenModelOptions>, input: JsonObject) {
  const answer = await inputOf(options)['~standard'].validate(input)
  return answer.issues ? answer.issues.map(({ message }) => message).join() : answer.value
}

const limits: OpenModelOptions['limits'] = {
  prompt: { min: 1, max: 5 },
  negative_prompt: { min: 3 },
  aspect_ratio: ['16:9', '9:16'],
  resolution: ['1 MP', '2 MP'],
  duration: [5, 10],
  seed: { max: 99 },
  guidance: { min: 1.5, max: 10 },
  num_outputs: { max: 4 },
}
const fields: OpenModelOptions['fields'] = { guidance: 'cfg_scale', num_outputs: 'num_videos' }

test.each<JsonObject>([
  { prompt: 'a fox' },
  { prompt: 'a', aspect_ratio: '9:16', resolution: '1 MP', duration: 10 },
  { prompt: 'a', seed: 99, guidance: 1.5, num_outputs: 4 },
])('a model with limits accepts the input %j, which is within them', async (input) => {
  expect(await read({ limits, fields }, input)).toEqual(input)
})

test.each<[JsonObject, string]>([
  [{ prompt: 'a fox!' }, 'prompt must be a text of 1 to 5 characters.'],
  [{ negative_prompt: 'ab' }, 'negative_prompt must be a text of 3 to 32000 characters.'],
  [{ aspect_ratio: '1:1' }, 'aspect_ratio must be one of 16:9, 9:16.'],
  [{ resolution: '720p' }, 'resolution must be one of 1 MP, 2 MP.'],
  [{ duration: 7 }, 'duration must be one of 5, 10.'],
  [{ duration: '5' }, 'duration must be one of 5, 10.'],
  [{ seed: 100 }, 'seed must be a whole number from 0 to 99.'],
  [{ guidance: 1 }, 'guidance must be a number from 1.5 to 10.'],
  [{ num_outputs: 5 }, 'num_outputs must be a whole number from 1 to 4.'],
])(
  'a model with limits refuses the input %j, which is beyond them, and says what it accepts',
  async (input, message) => {
    expect(await read({ limits, fields }, { prompt: 'a', ...input })).toBe(message)
  },
)

test('clients see the limits in the JSON Schema of the input', () => {
  const standard = inputOf({ limits, fields, required: ['prompt'] })['~standard'] as unknown as {
    jsonSchema: { input(options: { target: string }): unknown }
  }
  expect(standard.jsonSchema.input({ target: 'draft-2020-12' })).toMatchObject({
    required: ['prompt'],
    properties: {
      aspect_ratio: { enum: ['16:9', '9:16'] },
      duration: { enum: [5, 10] },
      seed: { minimum: 0, maximum: 99 },
    },
  })
})

test('the fields that a model requires are required by name', async () => {
  const fox = 'https://example.com/fox.png'
  const required: OpenModelOptions['required'] = ['prompt', 'image']
  expect(await read({ required }, { prompt: 'a' })).toBe('image is required.')
  expect(await read({ required }, { image: fox })).toBe('prompt is required.')
  expect(await read({ required }, { prompt: 'a', image: fox })).toEqual({ prompt: 'a', image: fox })
  expect(await read({ required: ['image'] }, { image: fox })).toEqual({ image: fox })
})

test('without a list of required fields, a prompt is required unless an alternative is given', async () => {
  expect(await read({}, {})).toContain('prompt is required, unless image')
  expect(await read({ fields: { prompt: false } }, {})).toEqual({})
})

test('a limit of a field that the model lacks is ignored', async () => {
  expect(
    await read({ limits: { seed: { max: 9 } }, fields: { seed: false } }, { prompt: 'a', seed: 1 }),
  ).toContain('seed is unknown')
})

test.each<[Record<string, unknown>, string]>([
  [{ limits: { size: ['1K'] } }, 'limits can not limit size; it may limit prompt, negative_prompt'],
  [{ limits: { image: { max: 3 } } }, 'limits can not limit image'],
  [{ limits: { prompt: ['a'] } }, 'limits.prompt must be a range such as { max: 4 }'],
  [{ limits: { aspect_ratio: { max: 2 } } }, "limits.aspect_ratio must be a list of texts such as ['16:9']"],
  [{ limits: { aspect_ratio: [] } }, 'limits.aspect_ratio must be a list'],
  [
    { limits: { duration: ['5'] } },
    'limits.duration must be a list of numbers, or a range such as { max: 4 }',
  ],
  [{ limits: { duration: { max: '5' } } }, 'limits.duration must be'],
  [{ limits: { duration: { most: 5 } } }, 'limits.duration must be'],
  [{ limits: { duration: [] } }, 'limits.duration must be'],
  [{ limits: { duration: { min: 5, max: 4 } } }, 'limits.duration must be'],
  [{ limits: { prompt: [] } }, 'limits.prompt must be a range such as { max: 4 }'],
  [{ required: 'prompt' }, 'required must be a list of fields of the interface'],
  [{ required: ['size'] }, 'required must be a list of fields of the interface'],
  [{ required: ['mask'] }, 'required names mask, which this model lacks'],
])(
  'wrong limits and required fields of a model, %j, throw a TypeError that explains them',
  (options, message) => {
    expect(() => inputOf(options as Partial<OpenModelOptions>)).toThrow(TypeError)
    expect(() => inputOf(options as Partial<OpenModelOptions>)).toThrow(message)
  },
)
