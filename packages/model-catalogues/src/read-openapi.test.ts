import { expect, test } from 'vitest'
import { operationInput, replicateInput } from './read-openapi.ts'

/** Shaped as `https://fal.ai/api/openapi/queue/openapi.json` answers for an endpoint. */
const queue = {
  paths: {
    '/acme/painter': {
      post: {
        requestBody: {
          content: { 'application/json': { schema: { $ref: '#/components/schemas/PainterInput' } } },
        },
      },
    },
    '/acme/painter/requests/{request_id}': { get: {} },
  },
  components: {
    schemas: {
      PainterInput: {
        title: 'PainterInput',
        type: 'object',
        required: ['prompt'],
        properties: {
          prompt: { type: 'string', title: 'Prompt', description: 'Prose.', minLength: 3, maxLength: 50 },
          image_size: {
            anyOf: [{ $ref: '#/components/schemas/ImageSize' }, { type: 'string', enum: ['square_hd'] }],
          },
          seed: { anyOf: [{ type: 'integer' }, { type: 'null' }], examples: [7] },
          old: { type: 'string', deprecated: true },
        },
      },
      ImageSize: { type: 'object', properties: { width: { type: 'integer', maximum: 14142 } } },
    },
  },
}

test('operationInput reads the input from an OpenAPI document of fal’s queue, without prose and references', () => {
  expect(operationInput(queue)).toEqual({
    type: 'object',
    required: ['prompt'],
    additionalProperties: false,
    properties: {
      prompt: { type: 'string', minLength: 3, maxLength: 50 },
      image_size: {
        anyOf: [
          { type: 'object', properties: { width: { type: 'integer', maximum: 14142 } } },
          { type: 'string', enum: ['square_hd'] },
        ],
      },
      seed: { type: 'integer' },
    },
  })
  expect(() => operationInput({ paths: {} })).toThrow('no operation with an input')
})

/** Shaped as `GET https://api.replicate.com/v1/models/{owner}/{name}` answers. */
const model = (schemas: object) => ({
  owner: 'acme',
  name: 'film',
  latest_version: { id: '5c7d', openapi_schema: { components: { schemas } } },
})

test('replicateInput reads the input from an answer of Replicate, with the choices to which it refers', () => {
  const Input = {
    type: 'object',
    title: 'Input',
    required: ['prompt'],
    properties: {
      prompt: { type: 'string', 'x-order': 0 },
      duration: { allOf: [{ $ref: '#/components/schemas/duration' }], default: 5, 'x-order': 1 },
      mode: { allOf: [{ $ref: '#/components/schemas/mode' }], default: 'pro' },
      image: { type: 'string', format: 'uri', nullable: true, default: null },
    },
  }
  const duration = { type: 'integer', enum: [5, 10], title: 'duration', description: 'An enumeration.' }
  expect(replicateInput(model({ Input, duration })).properties).toEqual({
    prompt: { type: 'string' },
    duration: { type: 'integer', enum: [5, 10], default: 5 },
    // Where the choices are not in the answer, the catalogue does not claim the field.
    mode: { 'x-unpublished': true, default: 'pro' },
    image: { type: 'string' },
  })
  expect(() => replicateInput(model({}))).toThrow('no schema of its input')
})
