import { image, video, type Wanted } from './entry-of.ts'

/**
 * The day of Replicate's prices: those on the pages of its models, as a public report quotes them that was written on
 * that day. Models that the report does not have are without a price here.
 *
 * Compared by hand on 2026-11-22 with stored copies of the pages https://replicate.com/{model}/versions/{version}/api: fields,
 * defaults and bounds of seedance-2.0, veo-3.1, kling-v3-video, nano-banana-pro and seedream-4.5. They were right. These
 * pages name no prices.
 */
const pricedOn = '2026-10-06'
const usd = (price: string | number) => ({ price: String(price), priceUnit: 'output', pricedOn })

/** Files of an upscaler and of what removes a background come from one picture, and nobody gives a prompt. */
const tool = { prompt: false, aspect_ratio: false, resolution: false } as const

/** The 69 sizes in pixels say nothing that the shapes do not say. */
const ideogram3 = { reference_images: 'style_reference_images', resolution: false } as const

/** The entries of `replicateModels` by the file that they are in, in their order. */
export const wantedOfReplicate: Readonly<Record<string, readonly Wanted[]>> = {
  flux: [
    image('fluxSchnell', 'black-forest-labs/flux-schnell', { ...usd(0.003), pricedOn: '2026-11-22' }),
    image('flux2Dev', 'black-forest-labs/flux-2-dev', { most: { input_images: 4 } }),
    image('flux2Flex', 'black-forest-labs/flux-2-flex', { most: { input_images: 10 } }),
    image('flux2Pro', 'black-forest-labs/flux-2-pro', { most: { input_images: 8 } }),
  ],
  images: [
    image('nanoBanana', 'google/nano-banana'),
    image('nanoBananaPro', 'google/nano-banana-pro', {
      most: { image_input: 14 },
      ...usd("byChoice('resolution', '2K', { '1K': 0.15, '2K': 0.15, '4K': 0.3 })"),
    }),
    image('nanoBanana2', 'google/nano-banana-2', {
      most: { image_input: 14 },
      ...usd("byChoice('resolution', '1K', { '1K': 0.067, '2K': 0.101, '4K': 0.151 })"),
    }),
    image('seedream45', 'bytedance/seedream-4.5', {
      fields: { resolution: 'size' },
      most: { image_input: 14 },
    }),
    image('seedream5Pro', 'bytedance/seedream-5-pro', {
      fields: { resolution: 'size' },
      most: { image_input: 10 },
    }),
    // The quality, which decides the price, is the model's own choice unless `inputs` adds it: the price is the highest.
    image('gptImage2', 'openai/gpt-image-2', usd(0.128)),
    image('ideogram3Turbo', 'ideogram-ai/ideogram-v3-turbo', { fields: ideogram3 }),
    image('ideogram3Quality', 'ideogram-ai/ideogram-v3-quality', { fields: ideogram3 }),
    image('recraft4', 'recraft-ai/recraft-v4'),
    image('topazUpscale', 'topazlabs/image-upscale', { fields: tool }),
    image(
      'realEsrgan',
      'nightmareai/real-esrgan:f121d640bd286e1fdc67f9799164c1d5be36ff74576ee11c803ae5b665dd46aa',
      { fields: tool },
    ),
    image(
      'backgroundRemover',
      '851-labs/background-remover:a029dff38972b5fda4ec5d75d7d1cd25aeff621d2cf4946a41055d7db66b80bc',
      { fields: tool },
    ),
  ],
  videos: [
    video('veo31', 'google/veo-3.1', {
      most: { reference_images: 3 },
      ...usd("bySecond(8, 'sound', true, { true: 0.4, false: 0.2 })"),
    }),
    video('veo31Fast', 'google/veo-3.1-fast', {
      ...usd("bySecond(8, 'sound', true, { true: 0.15, false: 0.1 })"),
      typicalMs: 60_000,
    }),
    video('seedance25', 'bytedance/seedance-2.5'),
    video('seedance2', 'bytedance/seedance-2.0', {
      most: { reference_images: 9, reference_videos: 3, reference_audios: 3 },
    }),
    // Without a mode, which is not in the interface's fields, the model makes films in `pro`.
    video(
      'kling3',
      'kwaivgi/kling-v3-video',
      usd("bySecond(5, 'sound', false, { true: 0.336, false: 0.224 })"),
    ),
    video('kling26', 'kwaivgi/kling-v2.6', usd("bySecond(5, 'sound', true, { true: 0.14, false: 0.07 })")),
    video('kling25TurboPro', 'kwaivgi/kling-v2.5-turbo-pro', {
      fields: { image: 'start_image' },
      ...usd("bySecond(5, 'sound', true, { true: 0.07 })"),
    }),
    video('hailuo23', 'minimax/hailuo-2.3'),
    video('hailuo23Fast', 'minimax/hailuo-2.3-fast'),
    video('wan27', 'wan-video/wan-2.7-t2v'),
    video(
      'wan22Fast',
      'wan-video/wan-2.2-i2v-fast',
      usd("byChoice('resolution', '480p', { '480p': 0.05, '720p': 0.11 })"),
    ),
  ],
}
