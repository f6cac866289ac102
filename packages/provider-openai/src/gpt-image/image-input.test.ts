import * as v from 'valibot'
import { expect, test } from 'vitest'
import { checkAllowedOptions } from '@genmount/provider-kit'
import { imageInput, ownParameters } from './image-input.ts'

const rule = checkAllowedOptions('allowed', ['background', 'moderation'], ownParameters)
const schema = imageInput({ at: 'm', rule, fixed: {}, inputs: {}, maxOutputs: 10 })

const picture = 'data:image/png;base64,iVBORw0KGgo='

function faultIn(input: unknown): { message: string; path: string } | undefined {
  const issue = v.safeParse(schema, input).issues?.[0]
  return issue && { message: issue.message, path: v.getDotPath(issue) ?? '' }
}

test('gpt-image takes an input with only a prompt, and makes one image', () => {
  expect(v.parse(schema, { prompt: 'a fox' })).toEqual({ prompt: 'a fox', num_outputs: 1 })
})

test.each([
  [{ prompt: 'a fox', image: picture, mask: 'https://pictures.example.com/mask.png' }],
  [{ prompt: 'a fox', image: Array(16).fill(picture) }],
  [{ prompt: 'x'.repeat(32_000), aspect_ratio: '16:9', quality: 'max', format: 'jpeg', num_outputs: 10 }],
  [{ prompt: 'a fox', format: 'svg', reference_images: Array(16).fill(picture) }],
  [{ prompt: 'a fox', provider_options: { background: 'transparent' } }],
])('input %# is taken', (input) => {
  expect(faultIn(input)).toBeUndefined()
})

test.each<[unknown, string, string]>([
  [{}, 'prompt', 'prompt is required.'],
  [{ prompt: ' ' }, 'prompt', '1 to 32000 characters'],
  [{ prompt: 'x'.repeat(32_001) }, 'prompt', '1 to 32000 characters'],
  [{ prompt: 'a fox', seed: 1 }, 'seed', 'seed is unknown; this model accepts prompt, image'],
  [{ prompt: 'a fox', num_outputs: 11 }, 'num_outputs', 'from 1 to 10'],
  [{ prompt: 'a fox', aspect_ratio: '21:9' }, 'aspect_ratio', 'one of 1:1, 3:2'],
  [{ prompt: 'a fox', image: 7 }, 'image', 'a list of 1 to 16'],
  [{ prompt: 'a fox', image: [] }, 'image', ''],
  [{ prompt: 'a fox', image: Array(17).fill(picture) }, 'image', ''],
  [{ prompt: 'a fox', image: [picture, 'http://10.0.0.1/'] }, 'image.1', 'image: http://10.0.0.1'],
  [{ prompt: 'a fox', image: `${picture}${'A'.repeat(20_971_520)}` }, 'image', '20971520 characters'],
  [{ prompt: 'a fox', image: 'data:text/html;base64,PGI+' }, 'image', 'image: '],
  [
    { prompt: 'a fox', image: picture, reference_images: Array(16).fill(picture) },
    'reference_images',
    'at most 16 pictures together',
  ],
  [{ prompt: 'a fox', mask: picture }, 'mask', 'mask is only accepted together with image.'],
  [{ prompt: 'a fox', provider_options: [] }, 'provider_options', 'must be an object'],
  [
    { prompt: 'a fox', provider_options: { n: 50 } },
    'provider_options',
    'n: this model has a field of its own',
  ],
  [{ prompt: 'a fox', provider_options: { user: 'x' } }, 'provider_options', "can't set user"],
])('input %# is refused, and the field named', (input, path, message) => {
  expect(faultIn(input)).toEqual({ path, message: expect.stringContaining(message) })
})
