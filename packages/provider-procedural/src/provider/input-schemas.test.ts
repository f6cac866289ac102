import { expect, test } from 'vitest'
import { inputSchemas, leastRenderSeconds } from './input-schemas.ts'

const pixel =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

function judge(model: 'image' | 'video', input: unknown, allowSimulation = false, maxRenderSeconds = 40) {
  const result = inputSchemas(allowSimulation, maxRenderSeconds)[model]['~standard'].validate(input)
  if (result instanceof Promise) throw new Error('The schema is expected to answer at once.')
  return result
}

test('procedural models take an input with only a prompt, and fill in the defaults', () => {
  expect(judge('image', { prompt: 'a lake' })).toMatchObject({
    value: { prompt: 'a lake', num_outputs: 1, format: 'png' },
  })
  expect(judge('video', { prompt: 'a lake' })).toMatchObject({
    value: { prompt: 'a lake', resolution: '720p', duration: 3, fps: 24 },
  })
})

test.each([
  ['image', 'prompt', undefined, 'required'],
  ['image', 'prompt', '', '1 to 4000 characters'],
  ['image', 'prompt', '   ', '1 to 4000 characters'],
  ['image', 'prompt', 7, '1 to 4000 characters'],
  ['image', 'prompt', 'x'.repeat(4001), '1 to 4000 characters'],
  ['image', 'aspect_ratio', '2:1', '1:1, 16:9, 9:16, 4:3, 3:4'],
  ['image', 'resolution', '4k', '480p, 720p, 1080p'],
  ['image', 'num_outputs', 0, '1 to 4'],
  ['image', 'num_outputs', 5, '1 to 4'],
  ['image', 'num_outputs', 1.5, 'whole number'],
  ['image', 'num_outputs', '2', 'whole number'],
  ['image', 'seed', -1, '0 to 4294967295'],
  ['image', 'seed', 0.5, 'whole number'],
  ['image', 'seed', Number.NaN, 'whole number'],
  ['image', 'format', 'svg', 'png, webp, jpeg'],
  ['image', 'image', 'ftp://example.com/a.png', 'http(s) URL'],
  ['image', 'image', 'file:///etc/passwd', 'http(s) URL'],
  ['image', 'image', 'http://', 'http(s) URL'],
  ['image', 'image', `https://example.com/${'x'.repeat(8200)}`, 'http(s) URL'],
  ['image', 'image', 'data:image/svg+xml;base64,PHN2Zy8+', 'PNG, JPEG, WebP or GIF'],
  ['image', 'image', 'data:image/png;base64,PHN2Zy8+', 'PNG, JPEG, WebP or GIF'],
  ['image', 'image', 'data:image/png,plain', 'PNG, JPEG, WebP or GIF'],
  ['image', 'image', null, 'PNG, JPEG, WebP or GIF'],
  ['image', 'duration', 3, 'unknown'],
  ['image', 'simulate_error', 'content_policy', 'unknown'],
  ['image', 'simulate_latency_ms', 5, 'unknown'],
  ['image', 'colour', 'red', 'prompt, aspect_ratio, seed, image, resolution, num_outputs, format'],
  ['video', 'prompt', undefined, 'required'],
  ['video', 'duration', 0.9, '1 to 10'],
  ['video', 'duration', 10.1, '1 to 10'],
  ['video', 'duration', '3', '1 to 10'],
  ['video', 'duration', Number.POSITIVE_INFINITY, '1 to 10'],
  ['video', 'fps', 11, '12 to 30'],
  ['video', 'fps', 31, '12 to 30'],
  ['video', 'fps', 23.976, 'whole number'],
  ['video', 'resolution', '720', '480p, 720p, 1080p'],
  ['video', 'aspect_ratio', '', '1:1, 16:9, 9:16, 4:3, 3:4'],
  ['video', 'num_outputs', 2, 'unknown'],
  ['video', 'format', 'png', 'unknown'],
] as const)(
  'the procedural %s model refuses %s: %j with an error that names the field and what is accepted',
  (model, field, value, accepted) => {
    const entries = Object.entries({ prompt: 'a lake', [field]: value }).filter(
      ([, given]) => given !== undefined,
    )
    const { issues } = judge(model, Object.fromEntries(entries))
    expect(issues).toHaveLength(1)
    const [issue] = issues ?? []
    expect(issue?.message).toContain(field)
    expect(issue?.message).toContain(accepted)
    expect(issue?.path?.map((part) => (typeof part === 'object' ? part.key : part))).toEqual([field])
  },
)

test.each([null, undefined, 'a lake', 7, []])(
  'procedural models refuse the input %j with an error that names their fields',
  (input) => {
    expect(judge('image', input).issues?.[0]?.message).toMatch(/prompt/)
  },
)

test.each(['https://example.com/a.png', 'HTTP://example.com:8080/a?b=c', pixel])(
  'procedural models accept the picture %j',
  (image) => {
    expect(judge('image', { prompt: 'a lake', image }).issues).toBeUndefined()
    expect(judge('video', { prompt: 'a lake', image }).issues).toBeUndefined()
  },
)

test('procedural models accept simulate_latency_ms and simulate_error within their bounds when the app allows simulation', () => {
  const input = { prompt: 'a lake', simulate_latency_ms: 600_000, simulate_error: 'provider_lost' }
  expect(judge('image', input, true).issues).toBeUndefined()
  expect(judge('video', input, true).issues).toBeUndefined()
  expect(judge('image', { ...input, simulate_latency_ms: 600_001 }, true).issues?.[0]?.message).toContain(
    '0 to 600000',
  )
  expect(judge('image', { ...input, simulate_error: 'oops' }, true).issues?.[0]?.message).toContain(
    'content_policy',
  )
})

const longestFilm = { prompt: 'a lake', resolution: '1080p', duration: 10, fps: 30 }
const largestEdit = { prompt: 'a lake', resolution: '1080p', num_outputs: 4, image: pixel }

test.each([
  [20, 'video', longestFilm, 'duration', ['32 s', '20 s', 'duration or resolution or fps']],
  [34, 'video', { ...longestFilm, image: pixel }, 'duration', ['35 s']],
  [7, 'video', { prompt: 'a lake', resolution: '1080p' }, 'resolution', ['8 s']],
  [4, 'video', { prompt: 'a lake', fps: 30 }, 'fps', ['5 s']],
  [9, 'image', largestEdit, 'num_outputs', ['10 s', '9 s', 'num_outputs or resolution']],
] as const)(
  'with %i s as the longest time to render, a larger %s is refused with an error that names the field that costs most time',
  (maxSeconds, model, input, field, told) => {
    const { issues } = judge(model, input, false, maxSeconds)
    expect(issues).toHaveLength(1)
    expect(issues?.[0]?.path?.map((part) => (typeof part === 'object' ? part.key : part))).toEqual([field])
    for (const words of [field, ...told]) expect(issues?.[0]?.message).toContain(words)
  },
)

test('procedural models accept every input without maxRenderSeconds, and a prompt with a picture with the least maxRenderSeconds', () => {
  expect(judge('video', { ...longestFilm, image: pixel }).issues).toBeUndefined()
  expect(judge('image', largestEdit).issues).toBeUndefined()
  for (const model of ['image', 'video'] as const) {
    const input = { prompt: 'a lake', image: pixel }
    for (const aspect_ratio of [undefined, '16:9', '9:16'])
      expect(judge(model, { ...input, aspect_ratio }, false, leastRenderSeconds).issues).toBeUndefined()
  }
})
