import { expect, test } from 'vitest'
import { hasKey, withoutKeys } from './without-keys.ts'

test.each([
  [
    'GET https://a.test/f?alt=media&key=AIzaSy123 failed',
    'GET https://a.test/f?alt=media&key=[secret] failed',
  ],
  ['header Authorization: Bearer abcdef1234567890', 'header Authorization: Bearer [secret]'],
  ['key sk-proj-abcdefghijklmnopqrst1 is wrong', 'key [secret] is wrong'],
  ['token hf_abcdefghijklmnopqrst1 is wrong', 'token [secret] is wrong'],
  ['Key frames need a start. See model xai-video.', 'Key frames need a start. See model xai-video.'],
])('%s is shown as %s', (text, shown) => {
  expect(withoutKeys(text)).toBe(shown)
})

test.each([
  'https://a.test/f?alt=media&key=AIzaSy123',
  'https://a.test/f?Access_Token=1',
  'https://a.test/f?user=xai-abcdefghijklmnopqrst1',
])('%s has a key', (url) => {
  expect(hasKey(url)).toBe(true)
})

test.each([
  'https://replicate.delivery/xezq/film.mp4',
  'https://b.s3.amazonaws.com/f?X-Amz-Security-Token=IQoJb3JpZ2luX2VjEAAaCXVz&X-Amz-Signature=0123456789abcdef0123&Key-Pair-Id=K1',
  'https://delivery.bfl.ai/f?se=2026&sig=0123456789abcdef0123%3D',
  'https://cdn.test/key-frames/fal-flux-lora-outputs-1/hf-space-0123456789.mp4',
])('the signature or the path of %s is no key', (url) => {
  expect(hasKey(url)).toBe(false)
})
