import { expect, test } from 'vitest'
import { openInput } from './open-input.ts'
import { checkAllowedOptions } from './provider-options.ts'

const rule = checkAllowedOptions('allowed', ['loras', 'first_frame', 'camera'])

function judge(kind: 'image' | 'video', input: unknown) {
  const result = openInput({ at: 'm', outputKind: kind, rule, fields: {}, inputs: {} })['~standard'].validate(
    input,
  )
  if (result instanceof Promise) throw new Error('The schema is expected to answer at once.')
  return result
}

test.each([
  ['image', { prompt: 'a fox', num_outputs: 4, aspect_ratio: '16:9', seed: 7 }],
  ['image', { image: 'https://example.com/a.png', aspect_ratio: 'match_input_image' }],
  ['image', { image: 'data:image/png;base64,AAEC', negative_prompt: '' }],
  [
    'image',
    { prompt: 'a', aspect_ratio: '2.39:1', num_outputs: 10, provider_options: { loras: [{ path: 'x' }] } },
  ],
  ['video', { prompt: 'the sea', duration: 5, fps: 24, resolution: '1080p' }],
  ['video', { provider_options: { first_frame: 'https://example.com/a.png', camera: { pan: [1, 2] } } }],
] as const)('a model of kind %s accepts %j unchanged', (kind, input) => {
  expect(judge(kind, input)).toMatchObject({ value: input })
})

test.each([
  ['image', 'prompt', undefined, 'required'],
  ['image', 'prompt', '  ', '1 to 32000 characters'],
  ['image', 'prompt', 'x'.repeat(32_001), '1 to 32000 characters'],
  ['image', 'num_outputs', 11, '1 to 10'],
  ['image', 'num_outputs', 1.5, 'whole number'],
  ['image', 'seed', -1, 'whole number from 0'],
  ['image', 'aspect_ratio', 'as you like', '16:9'],
  ['image', 'aspect_ratio', '16/9', 'width:height'],
  ['image', 'aspect_ratio', '0:9', 'width:height'],
  ['image', 'resolution', 720, '720p'],
  ['image', 'duration', 5, 'unknown'],
  ['video', 'num_outputs', 2, 'unknown'],
  ['video', 'duration', 0, '1 to 600'],
  ['video', 'fps', Number.NaN, '1 to 120'],
  ['video', 'provider_options', [], 'object'],
  ['video', 'provider_options', 'fast', 'object'],
  ['video', 'provider_options', { num_videos: 50 }, 'num_videos'],
  ['image', 'image', 'a.png', 'http(s) URL'],
  ['image', 'image', 'ftp://example.com/a.png', 'http(s) URL'],
  ['image', 'image', 'data:image/png,plain', 'base64'],
  ['image', 'image', 'http://169.254.169.254/latest/meta-data', 'refused'],
  ['image', 'image', 'http://2130706433/', 'refused'],
  ['image', 'image', 'http://localhost:8188/view', 'refused'],
  ['image', 'image', 'https://user:secret@example.com/a.png', 'without user name'],
  ['image', 'image', 'https://example.com:25/a.png', 'port'],
] as const)('%s refuses %s: %j, and names the field and what is accepted', (kind, field, value, accepted) => {
  const { issues } = judge(
    kind,
    field === 'prompt' && value === undefined ? {} : { prompt: 'a', [field]: value },
  )
  expect(issues).toHaveLength(1)
  expect(issues?.[0]?.message).toContain(field)
  expect(issues?.[0]?.message).toContain(accepted)
  expect(issues?.[0]?.path?.map((part) => (typeof part === 'object' ? part.key : part))).toEqual([field])
})

test('errors do not mention provider_options for a model that takes none', () => {
  const off = checkAllowedOptions('allowed', 'off')
  const schema = openInput({ at: 'm', outputKind: 'image', rule: off, fields: {}, inputs: {} })
  const messageFor = (input: unknown) => {
    const result = schema['~standard'].validate(input)
    return result instanceof Promise ? undefined : result.issues?.[0]?.message
  }
  expect(messageFor({})).toBe('prompt is required, unless image is given.')
  expect(messageFor({ promt: 'a fox' })).toMatch(
    /^promt is unknown; this model accepts prompt, .*num_outputs\.$/,
  )
  expect(messageFor({ prompt: 'a', provider_options: { steps: 1 } })).toContain('provider_options is off')
})

test('a prompt without an alternative is required', () => {
  const off = checkAllowedOptions('allowed', 'off')
  const traits = { at: 'm', outputKind: 'image', rule: off, fields: { image: false }, inputs: {} } as const
  const result = openInput(traits)['~standard'].validate({})
  expect(result).toMatchObject({ issues: [{ message: 'prompt is required.' }] })
})
