import { expect, test } from 'vitest'
import { inputSchema, usualFields } from './fal-input.ts'

async function issueOf(input: unknown, kind: 'image' | 'video' = 'image') {
  const result = await inputSchema(kind)['~standard'].validate(input)
  return result.issues?.[0] && { message: result.issues[0].message, path: result.issues[0].path?.map(keyOf) }
}

function keyOf(part: PropertyKey | { readonly key: PropertyKey }) {
  return typeof part === 'object' ? part.key : part
}

test.each([
  [{ prompt: 'a fox' }],
  [{ image: 'https://example.com/fox.png' }],
  [{ image: 'data:image/png;base64,iVBORw0KGgo=' }],
  [{ prompt: 'a fox', aspect_ratio: '21:9', resolution: '4K', seed: 0, num_outputs: 10 }],
  [{ prompt: 'a fox', provider_options: { loras: [{ path: 'https://example.com/x' }], steps: 4 } }],
])('%j is taken', async (input) => {
  expect(await issueOf(input)).toBeUndefined()
})

test.each([
  [{}, 'prompt', 'prompt is required'],
  [{ prompt: ' ' }, 'prompt', 'prompt must be'],
  [{ prompt: 'x'.repeat(20_001) }, 'prompt', 'prompt must be'],
  [{ prompt: 'a', aspect_ratio: '16/9' }, 'aspect_ratio', 'width:height'],
  [{ prompt: 'a', aspect_ratio: '0:9' }, 'aspect_ratio', 'width:height'],
  [{ prompt: 'a', seed: 1.5 }, 'seed', 'whole number'],
  [{ prompt: 'a', num_outputs: 11 }, 'num_outputs', 'from 1 to 10'],
  [{ prompt: 'a', provider_options: 'steps=4' }, 'provider_options', 'must be an object'],
  [{ prompt: 'a', duration: 5 }, 'duration', 'duration is unknown; this model takes prompt, image'],
])('%j is refused, and the field named', async (input, field, message) => {
  expect(await issueOf(input)).toEqual({ message: expect.stringContaining(message), path: [field] })
})

test.each([
  'http://127.0.0.1/a.png',
  'http://169.254.169.254/latest/meta-data',
  'https://[::1]/a.png',
  'http://localhost:8080/a.png',
  'http://printer/a.png',
  'file:///etc/passwd',
  'https://me:pw@example.com/a.png',
  'javascript:alert(1)',
  'data:text/html;base64,PGI+',
  'data:image/png,raw',
  'fox.png',
])('fal is not sent to fetch %s', async (image) => {
  expect(await issueOf({ prompt: 'a', image })).toEqual({
    message: expect.stringMatching(/^image: /),
    path: ['image'],
  })
})

test('films take a duration and no number of outputs', async () => {
  expect(await issueOf({ prompt: 'a', duration: 5.5 }, 'video')).toBeUndefined()
  expect(await issueOf({ prompt: 'a', duration: 0 }, 'video')).toMatchObject({ path: ['duration'] })
  expect(await issueOf({ prompt: 'a', num_outputs: 2 }, 'video')).toMatchObject({ path: ['num_outputs'] })
})

test('our fields get the names that fal knows them by', () => {
  const image = 'https://example.com/fox.png'
  expect(
    usualFields(
      { prompt: 'a', image, aspect_ratio: '16:9', seed: 7, num_outputs: 2, resolution: '2K' },
      'image',
    ),
  ).toEqual({
    prompt: 'a',
    image_url: image,
    image_size: 'landscape_16_9',
    seed: 7,
    num_images: 2,
    resolution: '2K',
  })
  expect(usualFields({ prompt: 'a', aspect_ratio: '9:16', duration: 5 }, 'video')).toEqual({
    prompt: 'a',
    aspect_ratio: '9:16',
    duration: '5',
  })
})

test('an aspect ratio without a preset becomes a megapixel in steps of 16', () => {
  expect(usualFields({ aspect_ratio: '21:9' }, 'image')).toEqual({ image_size: { width: 1568, height: 672 } })
})

test("the endpoint's own fields pass through, ours win, and results always have links", () => {
  const provider_options = { prompt: 'theirs', guidance_scale: 3, sync_mode: true, nothing: null }
  expect(usualFields({ prompt: 'ours', provider_options }, 'image')).toEqual({
    prompt: 'ours',
    guidance_scale: 3,
    nothing: null,
  })
})
