import * as v from 'valibot'
import { expect, test } from 'vitest'
import { checkAllowedOptions } from '@genmount/provider-kit'
import { imageInput, ownParameters } from './image-input.ts'

const rule = checkAllowedOptions('allowed', ['generationConfig'], ownParameters)
const schema = imageInput(rule, 'gemini-3.1-flash-image')

function faultIn(
  input: unknown,
  ofModel: v.GenericSchema = schema,
): { message: string; path: string } | undefined {
  const issue = v.safeParse(ofModel, input).issues?.[0]
  return issue && { message: issue.message, path: v.getDotPath(issue) ?? '' }
}

test('Gemini image models take an input with only a prompt', () => {
  expect(v.parse(schema, { prompt: 'a fox' })).toEqual({ prompt: 'a fox' })
})

test('Gemini image models take a resolution of 512 and aspect ratios from 1:8 to 8:1', () => {
  for (const aspect_ratio of ['1:4', '4:1', '1:8', '8:1'])
    expect(faultIn({ prompt: 'a fox', resolution: '512', aspect_ratio })).toBeUndefined()
})

// https://tanstack.com/ai/latest/docs/media/image-generation-advanced, a stored copy read on 2026-11-27.
test.each([
  ['gemini-nano-banana-2.1', '1K 2K 4K', '8:1'],
  ['gemini-3.1-flash-lite-image', '1K', '8:1'],
  ['gemini-3-pro-image', '1K 2K 4K', undefined],
  ['gemini-9-new-image', '512 1K 2K 4K', '8:1'],
])('%s takes the resolutions %j only, and of the long ratios %j', (model, sizes, ratio) => {
  const ofModel = imageInput(rule, model)
  const taken = (input: object) => faultIn({ prompt: 'a fox', ...input }, ofModel) === undefined
  const resolutions = ['512', '1K', '2K', '4K'].filter((resolution) => taken({ resolution }))
  expect(resolutions.join(' ')).toBe(sizes)
  expect(taken({ aspect_ratio: '8:1' })).toBe(ratio !== undefined)
  expect(taken({ aspect_ratio: '21:9' })).toBe(true)
})

const picture = 'data:image/png;base64,iVBORw0KGgo='

test.each<[unknown, string, string]>([
  [{}, 'prompt', 'prompt is required.'],
  [
    { prompt: 'a fox', provider_options: { generationConfig: { temperature: 1, candidateCount: 8 } } },
    'provider_options',
    'generationConfig.candidateCount: this model has a field',
  ],
  [{ prompt: 'a fox', num_outputs: 5 }, 'num_outputs', 'from 1 to 4'],
  [{ prompt: 'a fox', resolution: '720p' }, 'resolution', 'one of 512, 1K, 2K, 4K'],
  [{ prompt: 'a fox', image: [] }, 'image', ''],
  [{ prompt: 'a fox', image: Array(15).fill(picture) }, 'image', ''],
  [{ prompt: 'a fox', image: 'data:text/html,x' }, 'image', 'image: '],
])('of input %#, what is wrong is refused, and the field named', (input, path, message) => {
  expect(faultIn(input)).toEqual({ path, message: expect.stringContaining(message) })
})
