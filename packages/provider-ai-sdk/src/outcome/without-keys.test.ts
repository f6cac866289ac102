import { expect, test } from 'vitest'
import { withoutKeys } from './without-keys.ts'

test.each([
  [
    'GET https://a.test/f?alt=media&key=AIzaSy123 failed',
    'GET https://a.test/f?alt=media&key=[secret] failed',
  ],
  ['header Authorization: Bearer abcdef123456', 'header Authorization: Bearer [secret]'],
  ['key sk-proj-abcdefghijklmnopqrstu is wrong', 'key [secret] is wrong'],
  ['Key frames need a start. See model xai-video.', 'Key frames need a start. See model xai-video.'],
])('%s is shown as %s', (text, shown) => {
  expect(withoutKeys(text)).toBe(shown)
})

test.each([
  'https://replicate.delivery/xezq/film.mp4',
  'https://b.s3.amazonaws.com/f?X-Amz-Security-Token=abc&X-Amz-Signature=def&Key-Pair-Id=K1',
  'https://delivery.bfl.ai/f?se=2026&sig=abc',
])('the signature in %s is not masked as a key', (url) => {
  expect(withoutKeys(url)).toBe(url)
})
