import type { JsonObject, OutputKind } from '@genmount/core'
import type { VendorFields } from '@genmount/provider-kit'

/** The names of our fields at a model of Runway, and what else its requests must contain. */
export interface ModelTraits {
  readonly fields: VendorFields
  /** Parameters that Runway requires, with the values for jobs whose input does not set them. */
  readonly required: JsonObject
}

/** Runway's sizes by their ratios. Each model takes the sizes of a list of its own. */
type Sizes = Readonly<Record<string, string>>

const wide = sizesIn('16:9=1280:720 9:16=720:1280')
const gen4 = { ...wide, ...sizesIn('1:1=960:960 4:3=1104:832 3:4=832:1104') }
const gen4Film = { ...gen4, '21:9': '1584:672' }
const horse = { ...wide, ...sizesIn('1:1=960:960 4:3=1108:832 3:4=832:1108') }
const dance = { ...wide, ...sizesIn('1:1=960:960 4:3=1112:834 3:4=834:1112 21:9=1470:630') }
const gen4Picture = { ...wide, ...sizesIn('1:1=1024:1024 4:3=960:720 3:4=720:960 21:9=1680:720') }
const gemini = sizesIn(
  '1:1=1024:1024 16:9=1344:768 9:16=768:1344 4:3=1184:864 3:4=864:1184 3:2=1248:832 2:3=832:1248 21:9=1536:672',
)
const gpt = sizesIn(
  '1:1=1920:1920 16:9=1920:1088 9:16=1088:1920 4:3=1920:1440 3:4=1440:1920 3:2=1920:1280 2:3=1280:1920 21:9=2048:880',
)
const muse = sizesIn(
  '1:1=1600:1600 16:9=2016:1152 9:16=1152:2016 4:3=1792:1344 3:4=1344:1792 3:2=1920:1280 2:3=1280:1920 21:9=2352:1008',
)
const dreamPro = sizesIn(
  '1:1=1024:1024 16:9=1376:768 9:16=768:1376 4:3=1184:896 3:4=896:1184 3:2=1296:864 2:3=864:1296',
)
const dreamLite = sizesIn(
  '1:1=2048:2048 16:9=2848:1600 9:16=1600:2848 4:3=2304:1728 3:4=1728:2304 3:2=2496:1664 2:3=1664:2496 21:9=3136:1344',
)
const grok = { ...wide, ...sizesIn('1:1=1024:1024 4:3=1152:864 3:4=864:1152 3:2=1248:832 2:3=832:1248') }

const ways = {
  negative_prompt: 'negativePrompt',
  last_frame: 'lastFrame',
  reference_images: 'references[]',
  reference_videos: 'referenceVideos[]',
  audio: 'referenceAudio[1]',
  sound: 'audio',
  resolution: 'resolution',
  seed: 'seed',
} as const satisfies VendorFields

const dancer = film(dance, 'promptVideo', [
  'seed',
  'sound',
  'last_frame',
  'reference_images',
  'reference_videos',
  'audio',
])
const wan = film(gen4, undefined, ['sound', 'last_frame', 'reference_images', 'reference_videos', 'audio'])
const veo = film(wide, undefined, ['seed', 'sound', 'negative_prompt', 'last_frame'], { ratio: '1280:720' })

/** The number of outputs at models that make one for each task: a job for several takes as many tasks. */
export function oneForEachTask(): JsonObject {
  return {}
}

/** Read in the types of @runwayml/sdk 4.20.1, November 2026. */
const modelTraits: Readonly<Record<string, ModelTraits>> = {
  'gen4.5': film(gen4Film, undefined, ['seed'], { ratio: '1280:720', duration: 5 }),
  gen4_turbo: film(gen4Film, undefined, ['seed'], { ratio: '1280:720' }),
  'veo3.1': veo,
  'veo3.1_fast': veo,
  hailuo3: film({}, 'promptVideo', [
    'resolution',
    'last_frame',
    'reference_images',
    'reference_videos',
    'audio',
  ]),
  happyhorse_1_0: film(horse, undefined, []),
  seedance2: dancer,
  seedance2_fast: dancer,
  seedance2_mini: dancer,
  seedance2_5: dancer,
  gemini_omni_flash: film(wide, 'videoUri', []),
  'gemini_omni_flash_1.1': changed(film(wide, 'videoUri', ['last_frame', 'reference_images']), {
    // Other models require a type beside the address.
    reference_videos: (films) => ({ referenceVideos: films.map((uri) => ({ uri })) }),
  }),
  grok_imagine_1_5: film({}, undefined, ['resolution', 'reference_images', 'audio']),
  wan3: wan,
  wan3_prime: wan,
  h3_max: changed(film({}, undefined, ['seed', 'resolution', 'last_frame']), { aspect_ratio: false }),
  aleph2: changed(film({}, 'videoUri', ['seed']), {
    image: false,
    duration: false,
    aspect_ratio: 'targetAspectRatio',
  }),
  gen4_image: picture(gen4Picture, { seed: 'seed', num_outputs: oneForEachTask }),
  gen4_image_turbo: picture(gen4Picture, { seed: 'seed', num_outputs: oneForEachTask }),
  gpt_image_2: picture(gpt),
  gpt_image_2_5_flare: picture(gpt),
  gpt_image_2_5_sunburst: picture(gpt),
  gemini_image3_pro: picture(gemini),
  'gemini_image3.1_flash': picture(gemini),
  'gemini_2.5_flash': picture(gemini, { num_outputs: oneForEachTask }),
  muse_image: picture(muse),
  seedream5_pro: picture(dreamPro),
  seedream5_lite: picture(dreamLite),
  grok_imagine_image_2: picture(grok),
}

/** The traits of a model. An unknown model has a seed, and its ratios are sent to Runway unchanged. */
export function traitsOf(model: string, outputKind: OutputKind): ModelTraits {
  const unknown = outputKind === 'image' ? picture({}, { seed: 'seed' }) : film({}, undefined, ['seed'])
  return (Object.hasOwn(modelTraits, model) ? modelTraits[model] : undefined) ?? unknown
}

function film(
  sizes: Sizes,
  video: 'promptVideo' | 'videoUri' | undefined,
  has: readonly (keyof typeof ways)[],
  required: JsonObject = {},
): ModelTraits {
  const common = {
    prompt: 'promptText',
    image: 'promptImage',
    aspect_ratio: sized(sizes),
    fps: false,
    num_outputs: oneForEachTask,
  } as const
  const lacked = { negative_prompt: false, resolution: false, seed: false } as const
  const own = Object.fromEntries(has.map((name) => [name, ways[name]]))
  return { fields: { ...common, ...lacked, ...own, ...(video && { video }) }, required }
}

/** Runway requires a size of every picture. */
function picture(sizes: Sizes, more: VendorFields = {}): ModelTraits {
  const fields: VendorFields = {
    prompt: 'promptText',
    image: 'referenceImages[]',
    reference_images: 'referenceImages[]',
    aspect_ratio: sized(sizes),
    num_outputs: 'outputCount',
    negative_prompt: false,
    resolution: false,
    seed: false,
    ...more,
  }
  return { fields, required: { ratio: sizes['1:1'] ?? '1024:1024' } }
}

function changed(traits: ModelTraits, fields: VendorFields): ModelTraits {
  return { ...traits, fields: { ...traits.fields, ...fields } }
}

/**
 * A ratio without a known size is sent to Runway unchanged, so that clients can name a size of the model, such as
 * 1920:1080.
 */
function sized(sizes: Sizes): (ratio: string) => JsonObject {
  return (ratio) => ({ ratio: (Object.hasOwn(sizes, ratio) ? sizes[ratio] : undefined) ?? ratio })
}

/** @param text pairs of ratio and size, such as `16:9=1280:720` */
function sizesIn(text: string): Sizes {
  return Object.fromEntries(text.split(' ').map((pair) => pair.split('=')))
}
