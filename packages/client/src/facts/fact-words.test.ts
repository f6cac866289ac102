import { expect, test } from 'vitest'
import type { OutputFacts } from '../wire/output.ts'
import { factWords } from './fact-words.ts'

const unknown: OutputFacts = {
  object: 'output',
  n: 0,
  url: 'https://app.test/v1/files/gen_1',
  content_type: null,
  bytes: null,
  sha256: null,
  width: null,
  height: null,
  duration: null,
  fps: null,
  codec: null,
  has_sound: null,
  revised_prompt: null,
  provenance: null,
}
const mark = {
  digital_source_type: 'trainedAlgorithmicMedia',
  model: null,
  time: null,
  job: null,
  has_c2pa_manifest: false,
}

test('the facts of a picture are said in one line: pixels, size, type, and that it is marked', () => {
  const size = { width: 1024, height: 768, bytes: 3_180_000, content_type: 'image/png' }
  expect(factWords({ ...unknown, ...size, has_sound: false, provenance: mark })).toBe(
    '1024 × 768, 3.2 MB, PNG, marked as made by AI',
  )
})

test('the line of a film also says how long it is, its frames per second, its codec, and whether it has sound', () => {
  const film = {
    width: 640,
    height: 360,
    bytes: 84_000,
    content_type: 'video/mp4',
    duration: 5.042,
    fps: 23.976,
    codec: 'h264',
  }
  expect(factWords({ ...unknown, ...film, has_sound: false })).toBe(
    '640 × 360, 5.04 s, 23.98 fps, 84 kB, MP4, h264, without sound',
  )
  expect(factWords({ ...unknown, ...film, has_sound: true })).toMatch(/with sound$/)
  expect(factWords({ ...unknown, ...film })).not.toMatch(/sound/)
})

test('what is not known is left out, down to an empty line', () => {
  expect(factWords(unknown)).toBe('')
  expect(factWords({ ...unknown, bytes: 312, content_type: 'image/svg+xml' })).toBe('312 bytes, SVG')
  const manifest = { ...mark, digital_source_type: null, has_c2pa_manifest: true }
  expect(factWords({ ...unknown, provenance: manifest })).toBe('with a C2PA manifest')
})
