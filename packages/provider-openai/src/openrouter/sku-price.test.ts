import { expect, test } from 'vitest'
import { skuPrice } from './sku-price.ts'

// As `GET /api/v1/videos/models` had them in October 2026, by the tests of apps that have kept them.
const veo = {
  duration_seconds_with_audio: '0.12',
  duration_seconds_without_audio: '0.10',
  duration_seconds_with_audio_720p: '0.10',
  duration_seconds_without_audio_720p: '0.08',
}
const wan = {
  text_to_video_duration_seconds_480p: '0.04',
  text_to_video_duration_seconds_720p: '0.08',
  image_to_video_duration_seconds_720p: '0.10',
  text_to_video_duration_seconds_1080p: '0.12',
  image_to_video_duration_seconds_1080p: '0.15',
}
const kling = {
  duration_seconds: '0.112',
  duration_seconds_with_audio: '0.168',
  text_to_video_duration_seconds_720p: '0.112',
}
const grok = {
  cents_per_image_input: '0.2',
  cents_per_video_output_second_480p: '8',
  cents_per_video_output_second_720p: '14',
}
const image = 'https://pictures.example.com/fox.png'

test.each<[string, Readonly<Record<string, string>>, Record<string, unknown>, number | undefined]>([
  ['a rate of its resolution', veo, { resolution: '720p', sound: true, duration: 4 }, 0.4],
  ['a rate without sound', veo, { resolution: '720p', sound: false, duration: 4 }, 0.32],
  ['the rate of all resolutions', veo, { resolution: '1080p', sound: true, duration: 4 }, 0.48],
  ['the highest rate, if nothing is chosen', veo, { duration: 10 }, 1.2],
  ['a rate of films from text', wan, { resolution: '720p', duration: 5 }, 0.4],
  ['a rate of films from a picture', wan, { resolution: '720p', duration: 5, image }, 0.5],
  ['no rate of another resolution', wan, { resolution: '480p', duration: 5, image }, undefined],
  [
    'the rate with sound beside one of its resolution',
    kling,
    { resolution: '720p', sound: true, duration: 5 },
    0.84,
  ],
  ['cents, and a price for the picture', grok, { resolution: '720p', duration: 5, image }, 0.702],
  [
    'a price for each reference',
    { duration_seconds: '0.13', reference_images: '0.04' },
    { duration: 5, reference_images: [image, image] },
    0.73,
  ],
  [
    'the least that a film costs',
    { cents_per_second_output: '28', minimum_cents_per_generation: '56' },
    { duration: 1 },
    0.56,
  ],
  ['the longest film, if no length is chosen', { duration_seconds: '0.1' }, {}, 1.5],
  [
    'a rate in the words of the documentation',
    { 'per-video-second': '0.50', 'per-video-second-1080p': '0.75' },
    { duration: 2, resolution: '1080p' },
    1.5,
  ],
])('a film is expected to cost %s', (_what, skus, input, usd) => {
  expect(skuPrice(skus, 15)!.usdOf(input as never)).toBe(usd)
})

test.each([
  { video_tokens: '0.000007', video_tokens_1080p: '0.0000077' },
  { cents_per_megapixel_second_precise: '7.5' },
  { cents_per_second_video_continuation_720p: '41' },
  { duration_seconds: 'free' },
  {},
])('a list without a rate for a second of film has no price: %j', (skus) => {
  expect(skuPrice(skus)).toBeUndefined()
})

test('clients see the range of the rates, or the one rate', () => {
  expect(skuPrice(wan)!.modelPrice.text).toBe('0.04 to 0.15 USD per second')
  expect(skuPrice({ cents_per_second_output: '12' })!.modelPrice).toMatchObject({
    text: '0.12 USD per second',
    per: 'second',
    usd: 0.12,
  })
})
