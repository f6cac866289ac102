import { image, video, type Wanted } from './entry-of.ts'

/**
 * The day of fal's unit prices: `GET https://api.fal.ai/v1/models/pricing`, as kept in nodetool-ai/nodetool at 0081294,
 * packages/fal-nodes/src/generated/fal-unit-pricing.json. The header `x-fal-billable-units` of a result counts the units.
 * For endpoints that this list prices by seconds of computing, the price on their page is here if it follows from the input
 * of a job; otherwise it is unknown here, because nobody knows which of both fal counts in the header. Where
 * a second of a usual film takes another number of units than one, the unit is called `unit` here, although the list
 * calls it a second: Kling 3 Standard costs 0.084 a second without sound and 0.126 with sound, which make 0.6 and 0.9 units of 0.14.
 *
 * Compared by hand on 2026-11-22 with fal's pages (stored copies of https://fal.ai/models/{endpoint}/llms.txt and
 * https://fal.ai/docs/model-api-reference): fields, choices, defaults and prices of veo3.1, nano-banana-pro, flux-2-flex,
 * kling-video/v2.6/pro, kling-video/v3, hailuo-2.3, wan/v2.7 and seedream/v4.5. The fields were right.
 */
const pricedOn = '2026-07-28'
const usd = (price: number, unit: string): Pick<Wanted, 'price'> => ({
  price: { usd: String(price), unit, on: pricedOn, source: 'list' },
})

/**
 * The price of a film on the page of its endpoint: stored copies of https://fal.ai/models/{endpoint}/llms.txt, read on
 * 2026-11-27. Of the endpoint of Kling 2.5 for films from text there was no copy, and public reports quote the same words of it. That
 * of Kling 3 Turbo Standard for films from text has the price of its endpoint for pictures.
 */
const film = (price: string): Pick<Wanted, 'price'> => ({
  price: { usd: price, unit: 'video', on: '2026-11-27', source: 'page' },
})
const unknown = (why: string): Pick<Wanted, 'price'> => ({ price: { unknown: why } })
const megapixels = unknown('its page names megapixels, and fal’s list seconds of computing')
const noPage = unknown('no copy of its page was found')
const tokens = unknown('fal charges for tokens, of which no result says how many there were')
const inputMegapixels = unknown('fal also charges for the megapixels of the pictures in the input')

/**
 * The price of a megapixel on the page of an endpoint that makes no larger pictures from these fields, as https://lumenfall.ai/models
 * quotes the pages, in copies read on 2026-11-27, and for Flash https://fal.ai/learn/devs/flux-2-flash-developer-guide. fal
 * rounds each picture up to a whole megapixel of 1024 x 1024 pixels.
 */
const picture = (megapixelUsd: number): Pick<Wanted, 'price'> => ({
  price: { usd: `perPicture(${megapixelUsd})`, unit: 'image', on: '2026-11-27', source: 'page' },
})

/** The price of FLUX.1 Kontext on its pages, as https://oauth.openai-hk.com/docs/en/lab/fal-ai quotes them. */
const kontext = (imageUsd: number): Pick<Wanted, 'price'> => ({
  price: { usd: String(imageUsd), unit: 'image', on: '2025-10-11', source: 'page' },
})

/** Endpoints that make films from reference pictures take these as `image_urls`. */
const references = { image: false, reference_images: 'image_urls' } as const

const veo31 = { ...usd(0.4, 'second'), typicalMs: 90_000 }
const kling3 = { needs: ['prompt'], ...usd(0.14, 'unit') } as const

/** The entries of `falModels` by the file that they are in, in their order. */
export const wantedOfFal: Readonly<Record<string, readonly Wanted[]>> = {
  flux: [
    image('fluxSchnell', 'fal-ai/flux/schnell', usd(0.003, 'megapixel')),
    image('flux2', 'fal-ai/flux-2', picture(0.012)),
    image('flux2Edit', 'fal-ai/flux-2/edit', { most: { image_urls: 4 }, ...inputMegapixels }),
    image('flux2Flash', 'fal-ai/flux-2/flash', picture(0.005)),
    image('flux2Klein4b', 'fal-ai/flux-2/klein/4b', usd(0.009, 'megapixel')),
    image('flux2Klein4bEdit', 'fal-ai/flux-2/klein/4b/edit', usd(0.009, 'megapixel')),
    image('flux2Klein9b', 'fal-ai/flux-2/klein/9b', usd(0.011, 'megapixel')),
    image('flux2Klein9bEdit', 'fal-ai/flux-2/klein/9b/edit', usd(0.011, 'megapixel')),
    image('flux2Flex', 'fal-ai/flux-2-flex', usd(0.05, 'processed megapixel')),
    image('flux2FlexEdit', 'fal-ai/flux-2-flex/edit', usd(0.05, 'processed megapixel')),
    image('flux2Pro', 'fal-ai/flux-2-pro', usd(0.03, 'processed megapixel')),
    image('flux2ProEdit', 'fal-ai/flux-2-pro/edit', usd(0.03, 'processed megapixel')),
    image('flux2Max', 'fal-ai/flux-2-max', usd(0.07, 'megapixel')),
    image('flux2MaxEdit', 'fal-ai/flux-2-max/edit', usd(0.07, 'processed megapixel')),
  ],
  'flux-kontext': [
    image('fluxKontextPro', 'fal-ai/flux-pro/kontext/text-to-image', kontext(0.04)),
    image('fluxKontextProEdit', 'fal-ai/flux-pro/kontext', kontext(0.04)),
    image('fluxKontextMaxEdit', 'fal-ai/flux-pro/kontext/max', kontext(0.08)),
  ],
  'nano-banana': [
    image('nanoBanana21', 'google/nano-banana-2.1', tokens),
    image('nanoBanana21Edit', 'google/nano-banana-2.1/edit', tokens),
    image('nanoBananaLite', 'google/nano-banana-lite', tokens),
    image('nanoBananaLiteEdit', 'google/nano-banana-lite/edit', { needs: ['image'], ...tokens }),
    image('nanoBanana', 'fal-ai/nano-banana', usd(0.0398, 'image')),
    image('nanoBananaEdit', 'fal-ai/nano-banana/edit', usd(0.0398, 'image')),
    image('nanoBananaPro', 'fal-ai/nano-banana-pro', usd(0.15, 'image')),
    image('nanoBananaProEdit', 'fal-ai/nano-banana-pro/edit', usd(0.15, 'image')),
    image('nanoBanana2', 'fal-ai/nano-banana-2', usd(0.08, 'image')),
    image('nanoBanana2Edit', 'fal-ai/nano-banana-2/edit', {
      // Films and recordings are context for the model here, and nothing that it changes.
      fields: { video: false, audio: false },
      needs: ['image'],
      ...usd(0.08, 'image'),
    }),
  ],
  'google-videos': [
    video('veo31', 'fal-ai/veo3.1', veo31),
    video('veo31FromImage', 'fal-ai/veo3.1/image-to-video', veo31),
    video('veo31FromFrames', 'fal-ai/veo3.1/first-last-frame-to-video', veo31),
    video('veo31FromReferences', 'fal-ai/veo3.1/reference-to-video', {
      limits: { duration: [8] },
      fields: references,
      ...veo31,
    }),
    video('veo31Fast', 'fal-ai/veo3.1/fast', usd(0.15, 'second')),
    video('veo31FastFromImage', 'fal-ai/veo3.1/fast/image-to-video', usd(0.15, 'second')),
    video('veo31Lite', 'fal-ai/veo3.1/lite', usd(0.05, 'second')),
    video('veo31LiteFromImage', 'fal-ai/veo3.1/lite/image-to-video', usd(0.05, 'second')),
    video('geminiOmniFlash', 'google/gemini-omni-flash', usd(1, 'unit')),
    video('geminiOmniFlashFromImage', 'google/gemini-omni-flash/image-to-video', usd(1, 'unit')),
    video('geminiOmniFlashFromReferences', 'google/gemini-omni-flash/reference-to-video', {
      fields: references,
      ...usd(1, 'unit'),
    }),
    video('geminiOmniFlashEdit', 'google/gemini-omni-flash/edit', tokens),
  ],
  bytedance: [
    image('seedream45', 'fal-ai/bytedance/seedream/v4.5/text-to-image', usd(0.04, 'image')),
    image('seedream45Edit', 'fal-ai/bytedance/seedream/v4.5/edit', {
      most: { image_urls: 10 },
      ...usd(0.04, 'image'),
    }),
    image('seedream5Lite', 'bytedance/seedream/v5/lite/text-to-image', usd(0.035, 'image')),
    image('seedream5LiteEdit', 'bytedance/seedream/v5/lite/edit', {
      most: { image_urls: 10 },
      ...usd(0.035, 'image'),
    }),
    image('seedream5Pro', 'bytedance/seedream/v5/pro/text-to-image', usd(0.0675, 'unit')),
    image('seedream5ProEdit', 'bytedance/seedream/v5/pro/edit', {
      most: { image_urls: 10 },
      ...usd(0.0675, 'unit'),
    }),
    video('seedance2', 'bytedance/seedance-2.0/text-to-video', usd(0.014, 'unit')),
    video('seedance2FromImage', 'bytedance/seedance-2.0/image-to-video', usd(0.014, 'unit')),
    video('seedance2FromReferences', 'bytedance/seedance-2.0/reference-to-video', {
      fields: references,
      most: { image_urls: 9, video_urls: 3, audio_urls: 3 },
      ...usd(0.014, 'unit'),
    }),
    video('seedance2Fast', 'bytedance/seedance-2.0/fast/text-to-video', usd(0.0112, 'unit')),
    video('seedance2FastFromImage', 'bytedance/seedance-2.0/fast/image-to-video', usd(0.0112, 'unit')),
  ],
  'other-images': [
    image('gptImage2', 'openai/gpt-image-2', usd(1, 'unit')),
    image('gptImage2Edit', 'openai/gpt-image-2/edit', { most: { image_urls: 16 }, ...usd(1, 'unit') }),
    image('qwenImage2', 'fal-ai/qwen-image-2/text-to-image', noPage),
    image('qwenImage2Edit', 'fal-ai/qwen-image-2/edit', noPage),
    image('qwenImage2Pro', 'fal-ai/qwen-image-2/pro/text-to-image', noPage),
    image('topazUpscale', 'fal-ai/topaz/upscale/image', {
      fields: { prompt: false },
      ...usd(0.01, 'megapixel'),
    }),
    image('seedvrUpscale', 'fal-ai/seedvr/upscale/image', usd(0.001, 'megapixel')),
    image('recraftCrispUpscale', 'fal-ai/recraft/upscale/crisp', usd(0.004, 'image')),
    image('briaBackgroundRemoval', 'fal-ai/bria/background/remove', usd(0.018, 'generation')),
    image('ideogramBackgroundRemoval', 'fal-ai/ideogram/remove-background', usd(0.01, 'image')),
  ],
  'design-images': [
    image('recraft41', 'fal-ai/recraft/v4.1/text-to-image', usd(0.035, 'image')),
    image('recraft41Pro', 'fal-ai/recraft/v4.1/pro/text-to-image', usd(0.21, 'image')),
    image('ideogram3', 'fal-ai/ideogram/v3', {
      // Styles and pictures to go by, which are for other things than the picture to edit.
      fields: { image: false },
      ...usd(0.03, 'image'),
    }),
    image('ideogram4', 'ideogram/v4', usd(0.01, 'unit')),
    image('krea2Large', 'krea/v2/large/text-to-image', noPage),
    image('reve21', 'reve/2.1/text-to-image', noPage),
  ],
  'kling-turbo-and-omni': [
    video('kling3TurboPro', 'fal-ai/kling-video/v3/turbo/pro/text-to-video', {
      needs: ['prompt'],
      ...film('byLength(0.14, 5)'),
    }),
    video('kling3TurboProFromImage', 'fal-ai/kling-video/v3/turbo/pro/image-to-video', {
      needs: ['prompt'],
      ...film('byLength(0.14, 5)'),
    }),
    video('kling3Turbo', 'fal-ai/kling-video/v3/turbo/standard/text-to-video', {
      needs: ['prompt'],
      ...film('byLength(0.112, 5)'),
    }),
    video('kling3TurboFromImage', 'fal-ai/kling-video/v3/turbo/standard/image-to-video', {
      needs: ['prompt'],
      ...film('byLength(0.112, 5)'),
    }),
    video('kling3OmniPro', 'fal-ai/kling-video/o3/pro/text-to-video', { needs: ['prompt'], ...noPage }),
    video('kling3OmniProFromImage', 'fal-ai/kling-video/o3/pro/image-to-video', {
      needs: ['prompt'],
      ...noPage,
    }),
    video('kling3OmniProFromReferences', 'fal-ai/kling-video/o3/pro/reference-to-video', {
      needs: ['prompt'],
      fields: { reference_images: 'image_urls' },
      ...noPage,
    }),
  ],
  kling: [
    video('kling3Pro', 'fal-ai/kling-video/v3/pro/text-to-video', kling3),
    video('kling3ProFromImage', 'fal-ai/kling-video/v3/pro/image-to-video', kling3),
    video('kling3Standard', 'fal-ai/kling-video/v3/standard/text-to-video', kling3),
    video('kling3StandardFromImage', 'fal-ai/kling-video/v3/standard/image-to-video', kling3),
    video('kling26Pro', 'fal-ai/kling-video/v2.6/pro/text-to-video', usd(0.07, 'unit')),
    video('kling26ProFromImage', 'fal-ai/kling-video/v2.6/pro/image-to-video', usd(0.07, 'unit')),
    video('kling25TurboPro', 'fal-ai/kling-video/v2.5-turbo/pro/text-to-video', film('byLength(0.07, 5)')),
    video(
      'kling25TurboProFromImage',
      'fal-ai/kling-video/v2.5-turbo/pro/image-to-video',
      film('byLength(0.07, 5)'),
    ),
  ],
  minimax: [
    video('minimaxH3', 'minimax/h3/text-to-video', noPage),
    video('minimaxH3FromImage', 'minimax/h3/image-to-video', noPage),
    video('hailuo23Pro', 'fal-ai/minimax/hailuo-2.3/pro/text-to-video', usd(0.49, 'unit')),
    video('hailuo23ProFromImage', 'fal-ai/minimax/hailuo-2.3/pro/image-to-video', film('perFilm(0.49)')),
    video('hailuo23', 'fal-ai/minimax/hailuo-2.3/standard/text-to-video', usd(0.28, 'unit')),
    video('hailuo23FromImage', 'fal-ai/minimax/hailuo-2.3/standard/image-to-video', usd(0.28, 'unit')),
  ],
  'other-videos': [
    video('lumaRay32', 'luma/agent/ray/v3.2/text-to-video', noPage),
    video('lumaRay32FromImage', 'luma/agent/ray/v3.2/image-to-video', {
      needs: ['image'],
      ...film("byResolution(5, '540p', { '540p': 0.1, '720p': 0.2, '1080p': 0.4 })"),
    }),
    video('ltx23', 'fal-ai/ltx-2.3/text-to-video', noPage),
    video('ltx23FromImage', 'fal-ai/ltx-2.3/image-to-video', noPage),
    video('happyHorse11', 'alibaba/happy-horse/v1.1/text-to-video', noPage),
    video('happyHorse11FromImage', 'alibaba/happy-horse/v1.1/image-to-video', noPage),
    video('wan27', 'fal-ai/wan/v2.7/text-to-video', usd(0.1, 'second')),
    video('wan27FromImage', 'fal-ai/wan/v2.7/image-to-video', usd(0.1, 'unit')),
    video('seedvrVideoUpscale', 'fal-ai/seedvr/upscale/video', megapixels),
  ],
}
