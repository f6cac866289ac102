import * as v from 'valibot'
import { expect, test } from 'vitest'
import { checkAllowedOptions } from '@genmount/input-fields'
import * as inputs from './model-inputs.ts'

const videoInput = inputs.videoInput(checkAllowedOptions('allowed', ['personGeneration'], inputs.ownOfVeo))
const imageInput = inputs.imageInput(checkAllowedOptions('allowed', ['generationConfig'], inputs.ownOfGemini))

const picture = 'data:image/png;base64,iVBORw0KGgo='

function faultIn(
  schema: typeof imageInput | typeof videoInput,
  input: unknown,
): { message: string; path: string } | undefined {
  const issue = v.safeParse(schema, input).issues?.[0]
  return issue && { message: issue.message, path: v.getDotPath(issue) ?? '' }
}

test('a prompt is enough, and what makes the price of a film is always said', () => {
  expect(v.parse(imageInput, { prompt: 'a fox' })).toEqual({ prompt: 'a fox' })
  expect(v.parse(videoInput, { prompt: 'a fox' })).toEqual({
    prompt: 'a fox',
    resolution: '720p',
    duration: 8,
    num_outputs: 1,
  })
})

test.each<[string, typeof imageInput | typeof videoInput, unknown, string, string]>([
  ['film', videoInput, {}, 'prompt', 'prompt is required.'],
  ['film', videoInput, { prompt: ' ' }, 'prompt', '1 to 32000 characters'],
  ['film', videoInput, { prompt: 'a fox', fps: 24 }, 'fps', 'fps is unknown; this model accepts prompt'],
  ['film', videoInput, { prompt: 'a fox', duration: 9 }, 'duration', 'from 4 to 8'],
  ['film', videoInput, { prompt: 'a fox', resolution: '480p' }, 'resolution', 'one of 720p, 1080p, 4k'],
  ['film', videoInput, { prompt: 'a fox', num_outputs: 5 }, 'num_outputs', 'from 1 to 4'],
  ['film', videoInput, { prompt: 'a fox', image: [picture] }, 'image', 'image must be'],
  [
    'film',
    videoInput,
    { prompt: 'a fox', last_frame: 'http://[::1]/' },
    'last_frame',
    'last_frame: http://[::1]',
  ],
  ['film', videoInput, { prompt: 'a fox', provider_options: 'x' }, 'provider_options', 'must be an object'],
  [
    'film',
    videoInput,
    { prompt: 'a fox', provider_options: { sampleCount: 4 } },
    'provider_options',
    'sampleCount: this model has a field',
  ],
  [
    'image',
    imageInput,
    { prompt: 'a fox', provider_options: { generationConfig: { temperature: 1, candidateCount: 8 } } },
    'provider_options',
    'generationConfig.candidateCount: this model has a field',
  ],
  ['image', imageInput, { prompt: 'a fox', num_outputs: 2 }, 'num_outputs', 'one image per job'],
  ['image', imageInput, { prompt: 'a fox', resolution: '720p' }, 'resolution', 'one of 1K, 2K, 4K'],
  ['image', imageInput, { prompt: 'a fox', image: [] }, 'image', ''],
  ['image', imageInput, { prompt: 'a fox', image: Array(15).fill(picture) }, 'image', ''],
  ['image', imageInput, { prompt: 'a fox', image: 'data:text/html,x' }, 'image', 'image: '],
])('a %s of input %#: what is wrong is refused, and the field named', (_, schema, input, path, message) => {
  expect(faultIn(schema, input)).toEqual({ path, message: expect.stringContaining(message) })
})
