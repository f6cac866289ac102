import * as v from 'valibot'
import { expect, test } from 'vitest'
import { checkAllowedOptions } from '@genmount/provider-kit'
import { omniInput, ownParameters } from './omni-input.ts'

const schema = omniInput(checkAllowedOptions('allowed', ['generation_config.seed'], ownParameters))

function faultIn(input: unknown): { message: string; path: string } | undefined {
  const issue = v.safeParse(schema, input).issues?.[0]
  return issue && { message: issue.message, path: v.getDotPath(issue) ?? '' }
}

test('Gemini Omni takes an input with only a prompt, and fills in all fields that make the price', () => {
  expect(v.parse(schema, { prompt: 'a fox' })).toEqual({ prompt: 'a fox', resolution: '720p', duration: 8 })
})

const picture = 'data:image/png;base64,iVBORw0KGgo='

test.each<[unknown, string, string]>([
  [{ prompt: 'a fox', duration: 16 }, 'duration', 'from 3 to 15'],
  [{ prompt: 'a fox', resolution: '480p' }, 'resolution', 'one of 360p, 720p, 1080p, 4k'],
  [{ prompt: 'a fox', num_outputs: 5 }, 'num_outputs', 'from 1 to 4'],
  [{ prompt: 'a fox', last_frame: picture }, 'last_frame', 'only accepted together with image'],
  [{ prompt: 'a fox', video: 'https://a.example/1', image: picture }, 'image', 'not accepted together'],
  [{ prompt: 'a fox', reference_images: Array(11).fill(picture) }, 'reference_images', 'a list of 1 to 10'],
  [{ prompt: 'a fox', reference_images: picture }, 'reference_images', 'a list of'],
  [{ prompt: 'a fox', negative_prompt: 'snow' }, 'negative_prompt', 'is unknown'],
  [{ prompt: 'a fox', provider_options: { store: false } }, 'provider_options', 'store: '],
])('of input %#, what is wrong is refused, and the field named', (input, path, message) => {
  expect(faultIn(input)).toEqual({ path, message: expect.stringContaining(message) })
})
