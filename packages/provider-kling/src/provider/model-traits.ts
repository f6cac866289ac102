import type { JsonObject, OutputKind } from '@genmount/core'
import type { OpenModelOptions, VendorFields } from '@genmount/provider-kit'

type FieldLimits = NonNullable<OpenModelOptions['limits']>

/** Units of Kling by resolution: for each second of film, or for each image. */
type Rates = Readonly<Record<string, number>>

/** What this provider knows about a model. */
export interface ModelTraits {
  /**
   * `current`: the model is in the path, and films are described by `contents`, `settings` and `options`. `legacy`: the model is in
   * the body, as `model_name`. Kling has images only there, and accepts its older pairs of keys only there.
   */
  readonly design: 'current' | 'legacy'
  /** Whether one endpoint takes all kinds of files. Other films have one endpoint for a first frame, and one without. */
  readonly isOmni: boolean
  readonly fields: VendorFields
  readonly limits: FieldLimits
  /** The resolution of films with sound, if the model has sound only there. */
  readonly soundResolution?: string | undefined
  /** The published units of a job; `undefined` when they can't be known beforehand. */
  unitsOf(input: JsonObject): number | undefined
}

interface FilmRates {
  readonly silent: Rates
  /** With sound of the model. @default the model has none */
  readonly sound?: Rates
  /** With a film in the input. @default the model takes none */
  readonly film?: Rates
}

interface Family {
  readonly names: RegExp
  readonly kind: OutputKind
  readonly fields: VendorFields
  readonly limits: FieldLimits
  readonly rates?: FilmRates | Rates
  readonly soundResolution?: string
}

const lacked = { negative_prompt: false, seed: false, fps: false } as const
const films: VendorFields = {
  ...lacked,
  image: 'first_frame',
  last_frame: 'last_frame',
  sound: 'sound',
  aspect_ratio: 'aspect_ratio',
  resolution: 'resolution',
  duration: 'duration',
}
const omniFilms: VendorFields = {
  ...films,
  reference_images: 'refer_image[7]',
  reference_videos: 'feature_video[1]',
  video: 'base_video',
}
const withoutSound = { sound: false } as const
const images: VendorFields = {
  ...lacked,
  image: 'image[1]',
  aspect_ratio: 'aspect_ratio',
  resolution: (size) => ({ resolution: size.toLowerCase() }),
  num_outputs: 'n',
}
const omniImages: VendorFields = { ...images, image: 'image[10]', reference_images: 'image[10]' }

const seconds = (least: number, most: number) =>
  Array.from({ length: most - least + 1 }, (_, index) => least + index)
const filmLimits = (
  resolution: readonly string[],
  duration: readonly number[],
  prompt = 2500,
): FieldLimits => ({
  prompt: { max: prompt },
  aspect_ratio: ['16:9', '9:16', '1:1'],
  resolution,
  duration,
})
const hd = ['720p', '1080p']
const uhd = [...hd, '4k']
const ratios = ['16:9', '9:16', '1:1', '4:3', '3:4', '3:2', '2:3', '21:9']
const imageLimits = (resolution: readonly string[], aspect_ratio = ratios): FieldLimits => ({
  prompt: { max: 2500 },
  negative_prompt: { max: 2500 },
  num_outputs: { max: 9 },
  aspect_ratio,
  resolution,
})
const tiers = (hd720: number, hd1080: number, uhd4k?: number): Rates => ({
  '720p': hd720,
  '1080p': hd1080,
  ...(uhd4k !== undefined && { '4k': uhd4k }),
})
const v3 = { silent: tiers(0.6, 0.8, 3), sound: tiers(0.9, 1.2, 3) }
const v3Omni = { silent: tiers(0.6, 0.8, 3), sound: tiers(0.8, 1, 3), film: tiers(0.9, 1.2, 3) }
const turbo = { silent: tiers(0.8, 1) }
const o1 = { silent: tiers(0.6, 0.8), film: tiers(0.9, 1.2) }
const v26 = { silent: tiers(0.3, 0.5), sound: { '1080p': 1 } }
const v25 = { silent: tiers(0.3, 0.5) }

/**
 * The models by their names; the first match counts. Fields and limits of `kling-3.0`, `-omni`, `-turbo`, `kling-2.6` and of the images
 * are those of Kling's own pages (https://kling.ai/document-api), as stored copies have them, read on 2026-11-27. Second hand, from
 * readers of these pages between 2026-08 and 2026-10: the units, `kling-o1`, `kling-2.5-turbo`, and the older names of films.
 */
const families: readonly Family[] = [
  {
    names: /^kling-3\.0-turbo/,
    kind: 'video',
    fields: { ...films, ...withoutSound, last_frame: false },
    limits: filmLimits(hd, seconds(3, 15)),
    rates: turbo,
  },
  {
    names: /^kling-(?:3\.0|v3)-omni/,
    kind: 'video',
    fields: omniFilms,
    limits: filmLimits(uhd, seconds(3, 15)),
    rates: v3Omni,
  },
  {
    names: /^kling-(?:3\.0|v3)/,
    kind: 'video',
    fields: films,
    limits: filmLimits(uhd, seconds(3, 15)),
    rates: v3,
  },
  {
    names: /^kling-(?:video-)?o1/,
    kind: 'video',
    fields: { ...omniFilms, ...withoutSound },
    limits: filmLimits(hd, seconds(3, 10)),
    rates: o1,
  },
  {
    names: /^kling-(?:2\.6|v2-6)/,
    kind: 'video',
    fields: films,
    limits: filmLimits(hd, [5, 10]),
    rates: v26,
    soundResolution: '1080p',
  },
  {
    names: /^kling-(?:2\.5-turbo|v2-5-turbo)/,
    kind: 'video',
    fields: { ...films, ...withoutSound },
    limits: filmLimits(hd, [5, 10]),
    rates: v25,
  },
  { names: /omni/, kind: 'video', fields: omniFilms, limits: {} },
  { names: /^/, kind: 'video', fields: films, limits: {} },
  {
    names: /^kling-v3-omni/,
    kind: 'image',
    fields: omniImages,
    limits: imageLimits(['1k', '2k', '4k'], [...ratios, 'auto']),
    rates: { '1k': 8, '2k': 8, '4k': 16 },
  },
  {
    names: /^kling-image-o1/,
    kind: 'image',
    fields: omniImages,
    limits: imageLimits(['1k', '2k'], [...ratios, 'auto']),
    rates: { '1k': 8, '2k': 8 },
  },
  {
    names: /^kling-v3/,
    kind: 'image',
    fields: { ...images, negative_prompt: 'negative_prompt' },
    limits: imageLimits(['1k', '2k']),
    rates: { '1k': 8, '2k': 8 },
  },
  {
    names: /^kling-v2-1/,
    kind: 'image',
    fields: { ...images, negative_prompt: 'negative_prompt' },
    limits: imageLimits(['1k', '2k']),
  },
  { names: /omni/, kind: 'image', fields: omniImages, limits: {} },
  { names: /^/, kind: 'image', fields: { ...images, negative_prompt: 'negative_prompt' }, limits: {} },
]

/** The traits of a model. An unknown one has the fields of most of its kind, and Kling decides about their values. */
export function traitsOf(model: string, outputKind: OutputKind): ModelTraits {
  const family = families.find(({ names, kind }) => kind === outputKind && names.test(model))!
  const design = /^kling-(?:v\d|video-|image-)/.test(model) ? 'legacy' : 'current'
  const { fields, limits, rates, soundResolution } = family
  return {
    design,
    isOmni: /omni|o1/.test(model),
    fields:
      design === 'legacy' && outputKind === 'video'
        ? { ...fields, negative_prompt: 'negative_prompt' }
        : fields,
    limits,
    soundResolution,
    unitsOf: (input) =>
      rates === undefined
        ? undefined
        : outputKind === 'image'
          ? imageUnits(rates as Rates, input)
          : filmUnits(rates as FilmRates, input, soundResolution),
  }
}

function imageUnits(rates: Rates, { resolution = '1k', num_outputs = 1 }: JsonObject): number | undefined {
  const each = rates[String(resolution).toLowerCase()]
  return each === undefined ? undefined : each * Number(num_outputs)
}

/** @param soundResolution the resolution of a film with sound, if the input names none */
function filmUnits(
  { silent, sound = silent, film = silent }: FilmRates,
  input: JsonObject,
  soundResolution = '720p',
): number | undefined {
  // The length of a film that is edited is not in the input.
  if (input['video'] !== undefined) return undefined
  const isLoud = input['sound'] === true
  const rates = input['reference_videos'] !== undefined ? film : isLoud ? sound : silent
  const { resolution = isLoud ? soundResolution : '720p', duration = 5 } = input
  const each = rates[String(resolution)]
  return each === undefined ? undefined : each * Number(duration)
}
