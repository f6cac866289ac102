import * as v from 'valibot'
import { expect, test } from 'vitest'
import { checkAllowedOptions } from '@genmount/input-fields'
import { ownParameters, veoInput } from './veo-input.ts'

const schema = veoInput(checkAllowedOptions('allowed', ['personGeneration'], ownParameters))

function faultIn(input: unknown): { message: string; path: string } | undefined {
  const issue = v.safeParse(schema, input).issues?.[0]
  return issue && { message: issue.message, path: v.getDotPath(issue) ?? '' }
}

test('Veo takes an input with only a prompt, and fills in all fields that make the price', () => {
  expect(v.parse(schema, { prompt: 'a fox' })).toEqual({
    prompt: 'a fox',
    resolution: '720p',
    duration: 8,
    num_outputs: 1,
  })
})

const picture = 'data:image/png;base64,iVBORw0KGgo='

test.each<[unknown, string, string]>([
  [{}, 'prompt', 'prompt is required.'],
  [{ prompt: ' ' }, 'prompt', '1 to 32000 characters'],
  [{ prompt: 'a fox', fps: 24 }, 'fps', 'fps is unknown; this model accepts prompt'],
  [{ prompt: 'a fox', duration: 9 }, 'duration', 'from 4 to 8'],
  [{ prompt: 'a fox', resolution: '480p' }, 'resolution', 'one of 720p, 1080p, 4k'],
  [{ prompt: 'a fox', num_outputs: 5 }, 'num_outputs', 'from 1 to 4'],
  [{ prompt: 'a fox', image: [picture] }, 'image', 'image must be'],
  [{ prompt: 'a fox', last_frame: 'http://[::1]/' }, 'last_frame', 'last_frame: http://[::1]'],
  [{ prompt: 'a fox', provider_options: 'x' }, 'provider_options', 'must be an object'],
  [
    { prompt: 'a fox', provider_options: { sampleCount: 4 } },
    'provider_options',
    'sampleCount: this model has a field',
  ],
])('of input %#, what is wrong is refused, and the field named', (input, path, message) => {
  expect(faultIn(input)).toEqual({ path, message: expect.stringContaining(message) })
})
