import { expect, test } from 'vitest'
import { inputPlaces } from './input-places.ts'
import { workflowInput } from './workflow-input.ts'

const workflow = {
  '1': { class_type: 'LoadImage', inputs: { image: 'example.png' } },
  '2': { class_type: 'LoadImage', inputs: { image: 'example.png' } },
  '7': { class_type: 'LoadAudio', inputs: { audio: 'example.mp3' } },
  '3': { class_type: 'KSampler', inputs: { seed: 1, cfg: 7, tiled: false, batch: 1 } },
  '6': { class_type: 'CLIPTextEncode', inputs: { text: 'a fox' } },
}
const inputs = {
  prompt: { node: '6', field: 'text' },
  image: { node: '1', field: 'image', required: false },
  reference_images: [
    { node: '1', field: 'image' },
    { node: '2', field: 'image' },
  ],
  audio: { node: '7', field: 'audio', required: false },
  seed: { node: '3', field: 'seed' },
  num_outputs: { node: '3', field: 'batch', max: 4 },
  cfg: { node: '3', field: 'cfg', min: 1, max: 20 },
  tiled: { node: '3', field: 'tiled' },
  note: { node: '6', field: 'note', type: 'text' },
  resolution: { node: '3', field: 'size', type: 'text', choices: ['720p', '1080p'] },
} as const

function judge(input: object) {
  const result = workflowInput(inputPlaces('inputs', inputs, workflow))['~standard'].validate(input)
  if (result instanceof Promise) throw new Error('The schema is expected to answer at once.')
  return result
}

test('a field that the job leaves out keeps the value of the workflow', () => {
  expect(judge({ prompt: 'a fox' })).toEqual({ typed: true, value: { prompt: 'a fox' } })
})

test('a valid input of a workflow is accepted unchanged', () => {
  const value = {
    prompt: 'a fox',
    image: 'https://example.com/a.png',
    reference_images: ['https://example.com/a.png', 'https://example.com/b.png'],
    audio: 'https://example.com/a.mp3',
    seed: 4294967295,
    num_outputs: 4,
    cfg: 7.5,
    tiled: true,
    note: '',
    resolution: '720p',
  }
  expect(judge(value)).toEqual({ typed: true, value })
})

test('a workflow requires a prompt of limited length', () => {
  expect(judge({}).issues).toMatchObject([{ message: 'prompt is required.' }])
  expect(judge({ prompt: 'x'.repeat(10_001) }).issues).toMatchObject([
    { message: 'prompt must be a text of 1 to 10000 characters.' },
  ])
})

test.each([
  ['prompt', '  ', '1 to 10000 characters'],
  ['prompt', ['4', 0], '1 to 10000 characters'],
  ['note', { __value__: ['4', 0] }, '0 to 10000 characters'],
  ['image', 'example.png', 'http(s) URL'],
  ['image', 'file:///etc/passwd', 'http(s) URL'],
  ['image', 'data:image/svg+xml;base64,PHN2Zy8+', 'PNG, JPEG, WebP or GIF'],
  ['image', 'data:image/png;base64,PHN2Zy8+', 'PNG, JPEG, WebP or GIF'],
  ['reference_images', 'https://example.com/a.png', 'a list of 1 to 2'],
  ['reference_images', Array(3).fill('https://example.com/a.png'), 'a list of 1 to 2'],
  ['reference_images', [], 'a list of 1 to 2'],
  ['audio', 'data:image/png;base64,iVBORw0KGgo=', 'MP3, WAV, FLAC, Ogg or M4A recording'],
  ['audio', 'data:audio/mpeg;base64,iVBORw0KGgo=', 'MP3, WAV, FLAC, Ogg or M4A recording'],
  ['seed', 1.5, 'a whole number from 0 to 4294967295'],
  ['seed', -1, 'a whole number from 0 to 4294967295'],
  ['num_outputs', 0, 'a whole number from 1 to 4'],
  ['num_outputs', 5, 'a whole number from 1 to 4'],
  ['cfg', '7', 'a number from 1 to 20'],
  ['tiled', 'yes', 'true or false'],
  ['resolution', '4k', '720p, 1080p'],
  ['ckpt_name', 'x', 'unknown'],
] as const)(
  '%s of %j is refused with the name of the field and what is accepted',
  (field, value, accepted) => {
    const { issues } = judge({ prompt: 'a fox', [field]: value })
    expect(issues?.map(({ message }) => message)).toEqual([expect.stringContaining(accepted)])
    expect(issues?.[0]?.message).toContain(field)
  },
)
