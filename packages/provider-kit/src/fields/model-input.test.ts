import * as v from 'valibot'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { pictureField, picturesField } from '../pictures/picture-field.ts'
import { closedInput, requiredUnless } from './closed-input.ts'
import {
  aspectRatioField,
  choiceField,
  formField,
  numberField,
  textField,
  wholeNumberField,
} from './fields.ts'
import { modelInput } from './model-input.ts'
import { openInput } from './open-input.ts'
import type { FieldSchema } from './own-inputs.ts'
import { providerOptionsField } from './provider-options.ts'

const target = 'draft-2020-12'
const schemaOf = (input: object) => {
  const { jsonSchema } = (input as { readonly '~standard': { readonly jsonSchema: any } })['~standard']
  return jsonSchema.input({ target })
}

test('the JSON Schema of an input accepts and refuses what validation does', () => {
  const input = modelInput(
    v.pipe(
      closedInput({
        prompt: v.optional(textField('prompt', 4000)),
        style: v.optional(textField('style', 50, 0)),
        size: formField('size', 'a word such as 1K', /^[1-4]K$/),
        ratio: v.optional(aspectRatioField()),
        seed: v.optional(wholeNumberField('seed', 0)),
        duration: v.optional(numberField('duration', 1, 10), 3),
        format: v.optional(choiceField('format', ['png', 'webp']), 'png'),
        image: v.optional(pictureField('image', { types: ['png'] })),
        images: v.optional(picturesField('images', 3, { types: 'any', maxUriLength: 9000 })),
        provider_options: v.optional(providerOptionsField({ allowed: ['steps', 'camera.pan'], own: [] })),
      }),
      requiredUnless('prompt', ['image']),
    ),
  )
  const picture = {
    type: 'string',
    description: 'An http(s) URL, or a data URI with a PNG picture in base64.',
  }
  const any = { type: 'string', description: 'An http(s) URL, or a data URI with a picture in base64.' }
  expect(schemaOf(input)).toEqual({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      prompt: { type: 'string', maxLength: 4000, pattern: '\\S' },
      style: { type: 'string', maxLength: 50 },
      size: { type: 'string', pattern: '^[1-4]K$', description: 'A word such as 1K.' },
      ratio: {
        type: 'string',
        pattern: '^[1-9]\\d{0,3}:[1-9]\\d{0,3}$',
        description: 'Width:height, such as 16:9.',
      },
      seed: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
      duration: { type: 'number', minimum: 1, maximum: 10, default: 3 },
      format: { type: 'string', enum: ['png', 'webp'], default: 'png' },
      image: picture,
      images: { anyOf: [any, { type: 'array', items: any, minItems: 1, maxItems: 3 }] },
      provider_options: {
        type: 'object',
        description: "The vendor's own parameters that this model accepts: steps, camera.pan.",
      },
    },
    required: ['size'],
    additionalProperties: false,
  })
})

test('the fields of a model whose limits only its vendor knows have a JSON Schema too', () => {
  const { properties } = schemaOf(
    openInput({ at: 'm', outputKind: 'video', rule: { allowed: [], own: [] }, fields: {}, inputs: {} }),
  )
  expect(Object.keys(properties)).toEqual(
    'prompt negative_prompt image aspect_ratio resolution seed duration fps provider_options'.split(' '),
  )
  const { provider_options: off, ...others } = properties
  expect(off).toEqual({ not: {}, description: 'Not accepted by this model.' })
  for (const field of Object.values<object>(others)) expect(field).toHaveProperty('type')
  expect(properties.aspect_ratio.pattern).toBeDefined()
})

test('fields of the operator appear in the JSON Schema as their own schemas describe them', () => {
  const mute: FieldSchema = {
    '~standard': { version: 1, vendor: 'me', validate: (value) => ({ value }) },
  }
  const inputs = {
    lora_strength: z.number().max(2).describe('How much of the LoRA.'),
    steps: z.int().min(1).default(28),
    mute,
  }
  const traits = { at: 'm', outputKind: 'image', rule: { allowed: [], own: [] }, fields: {} } as const
  const { properties, required } = schemaOf(openInput({ ...traits, inputs }))
  expect(properties).toMatchObject({
    lora_strength: { type: 'number', maximum: 2, description: 'How much of the LoRA.' },
    steps: { type: 'integer', minimum: 1, default: 28 },
    mute: {},
  })
  expect(required).toEqual(['lora_strength'])
})

test('an unknown target of Standard JSON Schema throws', () => {
  expect(() => {
    const { jsonSchema } = (modelInput(closedInput({})) as any)['~standard']
    jsonSchema.input({ target: 'draft-99' })
  }).toThrow('draft-99')
})
