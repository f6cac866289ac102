import { image, video, type Wanted } from './entry-of.ts'

/*
 * The prices are those on the pages of Replicate's models, as public reports quote them that read the pages on the day
 * of the price; most prices are in several reports. An entry says that its price is unknown if no report has it, or if it
 * depends on what neither the input nor the result of a job says.
 *
 * Compared by hand on 2026-11-22 with stored copies of the pages https://replicate.com/{model}/versions/{version}/api: fields,
 * defaults and bounds of seedance-2.0, veo-3.1, kling-v3-video, nano-banana-pro and seedream-4.5. They were right. These
 * pages name no prices.
 */
const usd = (price: string | number, on = '2026-10-06'): Pick<Wanted, 'price'> => ({
  price: { usd: String(price), unit: 'output', on, source: 'page' },
})
const unknown = (why: string): Pick<Wanted, 'price'> => ({ price: { unknown: why } })
const inputMegapixels = unknown('Replicate also charges for the megapixels of the pictures in the input')
const hardware = unknown('Replicate charges for seconds of its hardware, and no report names the one in use')

/** Files of an upscaler and of what removes a background come from one picture, and nobody gives a prompt. */
const tool = { prompt: false, aspect_ratio: false, resolution: false } as const

/** The 69 sizes in pixels say nothing that the shapes do not say. */
const ideogram3 = { reference_images: 'style_reference_images', resolution: false } as const

/** The entries of `replicateModels` by the file that they are in, in their order. */
export const wantedOfReplicate: Readonly<Record<string, readonly Wanted[]>> = {
  flux: [
    image('fluxSchnell', 'black-forest-labs/flux-schnell', usd(0.003, '2026-11-22')),
    image('flux2Dev', 'black-forest-labs/flux-2-dev', { most: { input_images: 4 }, ...inputMegapixels }),
    image('flux2Flex', 'black-forest-labs/flux-2-flex', { most: { input_images: 10 }, ...inputMegapixels }),
    image('flux2Pro', 'black-forest-labs/flux-2-pro', { most: { input_images: 8 }, ...inputMegapixels }),
  ],
  images: [
    image('nanoBanana', 'google/nano-banana', usd(0.039, '2026-09-16')),
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
      ...usd(0.04, '2026-09-19'),
    }),
    image('seedream5Pro', 'bytedance/seedream-5-pro', {
      fields: { resolution: 'size' },
      most: { image_input: 10 },
      ...usd("byChoice('resolution', '2K', { '1K': 0.045, '2K': 0.09 })", '2026-09-24'),
    }),
    // The quality, which decides the price, is the model's own choice unless `inputs` adds it: the price is the highest.
    image('gptImage2', 'openai/gpt-image-2', usd(0.128)),
    image('ideogram3Turbo', 'ideogram-ai/ideogram-v3-turbo', {
      fields: ideogram3,
      ...usd(0.03, '2026-09-16'),
    }),
    image('ideogram3Quality', 'ideogram-ai/ideogram-v3-quality', {
      fields: ideogram3,
      ...usd(0.09, '2026-10-07'),
    }),
    image('recraft4', 'recraft-ai/recraft-v4', usd(0.04, '2026-03-10')),
  ],
  'image-tools': [
    image('topazUpscale', 'topazlabs/image-upscale', {
      fields: tool,
      ...unknown('it depends on the megapixels of the result'),
    }),
    image(
      'realEsrgan',
      'nightmareai/real-esrgan:f121d640bd286e1fdc67f9799164c1d5be36ff74576ee11c803ae5b665dd46aa',
      { fields: tool, ...hardware },
    ),
    image(
      'backgroundRemover',
      '851-labs/background-remover:a029dff38972b5fda4ec5d75d7d1cd25aeff621d2cf4946a41055d7db66b80bc',
      { fields: tool, ...hardware },
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
    video(
      'seedance25',
      'bytedance/seedance-2.5',
      usd(
        "byFilms(bySecond(5, 'resolution', '720p', { '480p': 0.1028, '720p': 0.2312 }), bySecond(5, 'resolution', '720p', { '480p': 0.4304, '720p': 0.9676 }))",
        '2026-09-09',
      ),
    ),
    video('seedance2', 'bytedance/seedance-2.0', {
      most: { reference_images: 9, reference_videos: 3, reference_audios: 3 },
      limits: { resolution: ['480p', '720p', '1080p', '4k'] },
      ...usd(
        "byFilms(bySecond(5, 'resolution', '720p', { '480p': 0.08, '720p': 0.18, '1080p': 0.45, '4k': 1 }), bySecond(5, 'resolution', '720p', { '480p': 0.1, '720p': 0.22, '1080p': 0.55, '4k': 1.25 }))",
        '2026-09-09',
      ),
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
    video(
      'hailuo23',
      'minimax/hailuo-2.3',
      usd(
        "byChoice('resolution', '768p', { '768p': byChoice('duration', 6, { 6: 0.28, 10: 0.56 }), '1080p': 0.49 })",
        '2026-04-06',
      ),
    ),
    video(
      'hailuo23Fast',
      'minimax/hailuo-2.3-fast',
      usd(
        "byChoice('resolution', '768p', { '768p': byChoice('duration', 6, { 6: 0.19, 10: 0.32 }), '1080p': 0.33 })",
        '2026-10-05',
      ),
    ),
    video('wan27', 'wan-video/wan-2.7-t2v', {
      limits: { resolution: ['720p', '1080p'] },
      ...usd("bySecond(5, 'resolution', '1080p', { '720p': 0.1, '1080p': 0.1 })", '2026-09-06'),
    }),
    video(
      'wan22Fast',
      'wan-video/wan-2.2-i2v-fast',
      usd("byChoice('resolution', '480p', { '480p': 0.05, '720p': 0.11 })"),
    ),
  ],
}
