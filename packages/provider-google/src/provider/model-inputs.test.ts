import * as v from 'valibot'
import { expect, test } from 'vitest'
import { checkAllowedOptions } from '@genmount/input-fields'
import * as inputs from './model-inputs.ts'

const videoInput = inputs.videoInput(checkAllowedOptions('allowed', ['personGeneration'], inputs.ownOfVeo))
const omniInput = inputs.omniInput(
  checkAllowedOptions('allowed', ['generation_config.seed'], inputs.ownOfOmni),
)
const imageInput = inputs.imageInput(checkAllowedOptions('allowed', ['generationConfig'], inputs.ownOfGemini))

type AnyInput = typeof imageInput | typeof omniInput | typeof videoInput

const picture = 'data:image/png;base64,iVBORw0KGgo='

function faultIn(schema: AnyInput, input: unknown): { message: string; path: string } | undefined {
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
  expect(v.parse(omniInput, { prompt: 'a fox' })).toEqual({
    prompt: 'a fox',
    resolution: '720p',
    duration: 8,
  })
})

test('an image may be small, and as long and thin as a banner', () => {
  for (const aspect_ratio of ['1:4', '4:1', '1:8', '8:1'])
    expect(faultIn(imageInput, { prompt: 'a fox', resolution: '512', aspect_ratio })).toBeUndefined()
})

test.each<[string, AnyInput, unknown, string, string]>([
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
  ['film of Omni', omniInput, { prompt: 'a fox', duration: 16 }, 'duration', 'from 3 to 15'],
  [
    'film of Omni',
    omniInput,
    { prompt: 'a fox', resolution: '480p' },
    'resolution',
    'one of 360p, 720p, 1080p, 4k',
  ],
  ['film of Omni', omniInput, { prompt: 'a fox', num_outputs: 2 }, 'num_outputs', 'one film per job'],
  [
    'film of Omni',
    omniInput,
    { prompt: 'a fox', last_frame: picture },
    'last_frame',
    'only accepted together with image',
  ],
  [
    'film of Omni',
    omniInput,
    { prompt: 'a fox', reference_images: Array(11).fill(picture) },
    'reference_images',
    'a list of 1 to 10',
  ],
  [
    'film of Omni',
    omniInput,
    { prompt: 'a fox', reference_images: picture },
    'reference_images',
    'a list of',
  ],
  ['film of Omni', omniInput, { prompt: 'a fox', negative_prompt: 'snow' }, 'negative_prompt', 'is unknown'],
  [
    'film of Omni',
    omniInput,
    { prompt: 'a fox', provider_options: { store: false } },
    'provider_options',
    'store: ',
  ],
  ['image', imageInput, { prompt: 'a fox', num_outputs: 2 }, 'num_outputs', 'one image per job'],
  ['image', imageInput, { prompt: 'a fox', resolution: '720p' }, 'resolution', 'one of 512, 1K, 2K, 4K'],
  ['image', imageInput, { prompt: 'a fox', image: [] }, 'image', ''],
  ['image', imageInput, { prompt: 'a fox', image: Array(15).fill(picture) }, 'image', ''],
  ['image', imageInput, { prompt: 'a fox', image: 'data:text/html,x' }, 'image', 'image: '],
])('a %s of input %#: what is wrong is refused, and the field named', (_, schema, input, path, message) => {
  expect(faultIn(schema, input)).toEqual({ path, message: expect.stringContaining(message) })
})
