import { expect, test } from 'vitest'
import { imageOutputs } from './image-outputs.ts'

test('base64 in an answer becomes bytes, an https URL a link, and anything else is dropped', () => {
  const url = 'https://files.example.com/fox.png'
  const images = [
    { b64_json: 'iVBORw0KGgo=' },
    { b64_json: null, url },
    { b64_json: '!' },
    { b64_json: '' },
    { url: 'http://169.254.169.254/' },
    { url: 'https://' },
    { url: 7 },
    null,
    'text',
  ]
  expect(imageOutputs(images)).toEqual([
    { bytes: Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a) },
    { url },
  ])
})

test('base64 in the URL alphabet or in lines is read as an image', () => {
  const bytes = Uint8Array.of(0xfb, 0xef, 0xff, 0xfe)
  for (const b64_json of ['++///g==', '--___g==', '--___g', '++//\n/g==\n'])
    expect(imageOutputs([{ b64_json }])).toEqual([{ bytes }])
})
