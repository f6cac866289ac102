import { expect, test } from 'vitest'
import { checkAllowedOptions } from '@genmount/provider-kit'
import { inputSchema } from './input-schema.ts'

const rule = checkAllowedOptions('allowed', ['openai.quality', 'openai.nested'])

const schemas = {
  image: inputSchema({ outputKind: 'image', maxOutputs: 3, takesFiles: true, rule }),
  imageV2: inputSchema({ outputKind: 'image', maxOutputs: 3, takesFiles: false, rule }),
  video: inputSchema({ outputKind: 'video', maxOutputs: 1, takesFiles: true, rule }),
}

async function faults(kind: keyof typeof schemas, input: unknown) {
  const { issues = [] } = await schemas[kind]['~standard'].validate(input)
  return issues.map(({ message, path = [] }) => [
    path.map((part) => (typeof part === 'object' ? part.key : part)).join('.'),
    message,
  ])
}

const picture = 'data:image/png;base64,iVBORw0KGgo='

test.each<[keyof typeof schemas, object]>([
  ['image', { prompt: 'a fox' }],
  ['image', { image: picture }],
  ['image', { prompt: 'a', image: [picture, 'https://a.example/1.png'], mask: picture, num_outputs: 3 }],
  ['image', { prompt: 'a', size: '1024x1024', aspect_ratio: '16:9', seed: 0 }],
  ['image', { prompt: 'a', provider_options: { openai: { quality: 'low', nested: [1] } } }],
  ['imageV2', { prompt: 'a' }],
  ['video', { prompt: 'a', resolution: '1080p', duration: 7.5, fps: 24, sound: true }],
  ['video', { image: picture, last_frame: picture, reference_images: [picture], resolution: '640x360' }],
])('%s takes %j', async (kind, input) => {
  expect(await faults(kind, input)).toEqual([])
})

test.each<[keyof typeof schemas, unknown, string]>([
  ['image', {}, 'prompt'],
  ['image', { prompt: '  ' }, 'prompt'],
  ['image', { prompt: 'a', mask: picture }, 'mask'],
  ['image', { prompt: 'a', image: 'http://127.0.0.1/1.png' }, 'image'],
  ['image', { prompt: 'a', image: 'http://169.254.169.254/latest' }, 'image'],
  ['image', { prompt: 'a', image: 'file:///etc/passwd' }, 'image'],
  ['image', { prompt: 'a', image: 'data:image/svg+xml;base64,PHN2' }, 'image'],
  ['image', { prompt: 'a', image: [] }, 'image'],
  ['image', { prompt: 'a', image: [picture, 'http://10.0.0.1/'] }, 'image.1'],
  ['image', { prompt: 'a', num_outputs: 4 }, 'num_outputs'],
  ['image', { prompt: 'a', num_outputs: 1.5 }, 'num_outputs'],
  ['image', { prompt: 'a', duration: 5 }, 'duration'],
  ['image', { prompt: 'a', provider_options: { openai: 'low' } }, 'provider_options'],
  ['image', { prompt: 'a', provider_options: [] }, 'provider_options'],
  ['video', { prompt: 'a', provider_options: { replicate: { pollIntervalMs: 0 } } }, 'provider_options'],
  ['image', { prompt: 'a', provider_options: { openai: { quality: 'low', n: 50 } } }, 'provider_options'],
  ['imageV2', { prompt: 'a', image: picture }, 'image'],
  ['video', { prompt: 'a', resolution: 'huge' }, 'resolution'],
  ['video', { prompt: 'a', aspect_ratio: '16/9' }, 'aspect_ratio'],
  ['video', { prompt: 'a', fps: 0 }, 'fps'],
  ['video', { prompt: 'a', audio: picture }, 'audio'],
  ['video', { prompt: 'a', sound: 'on' }, 'sound'],
  ['video', { prompt: 'a', seed: -1 }, 'seed'],
  ['video', 'a fox', ''],
])('%s refuses %j and says where', async (kind, input, field) => {
  const [first] = await faults(kind, input)
  expect(first?.[0]).toBe(field)
  expect(first?.[1]).toContain(field.split('.')[0])
})
