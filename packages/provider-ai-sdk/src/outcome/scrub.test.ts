import { expect, test } from 'vitest'
import { carriesKey, scrubber } from './scrub.ts'

const scrub = scrubber(['s3cret.key'])

test.each([
  ['with s3cret.key, twice s3cret.key', 'with [secret], twice [secret]'],
  [
    'GET https://a.test/f?alt=media&key=AIzaSy123 failed',
    'GET https://a.test/f?alt=media&key=[secret] failed',
  ],
  ['header Authorization: Bearer abcdef123456', 'header Authorization: Bearer [secret]'],
  ['key sk-proj-abcdefghijklmnopqrstu is wrong', 'key [secret] is wrong'],
  ['Key frames need a start. See model xai-video.', 'Key frames need a start. See model xai-video.'],
])('%s is shown as %s', (text, shown) => {
  expect(scrub(text)).toBe(shown)
})

test('a URL that opens with a key is known, and a signed one is not taken for it', () => {
  expect(carriesKey('https://a.test/f:download?alt=media&key=AIzaSy123', scrub)).toBe(true)
  expect(carriesKey('https://a.test/s3cret.key/f', scrub)).toBe(true)
  for (const url of [
    'https://replicate.delivery/xezq/film.mp4',
    'https://b.s3.amazonaws.com/f?X-Amz-Security-Token=abc&X-Amz-Signature=def&Key-Pair-Id=K1',
    'https://delivery.bfl.ai/f?se=2026&sig=abc',
  ])
    expect(carriesKey(url, scrub)).toBe(false)
})

test('an empty secret is told', () => {
  for (const secrets of [[''], [1], 'text'])
    expect(() => scrubber(secrets as string[])).toThrow('secrets must be a list of texts')
})
