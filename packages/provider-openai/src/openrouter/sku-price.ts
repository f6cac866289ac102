import type { JsonObject, ModelPrice } from '@genmount/core'
import { numberIn } from '@genmount/provider-kit'

/** A rate for each second of film, in US dollars, and for which films it holds. */
interface Rate {
  readonly usd: number
  readonly mode: string | undefined
  readonly audio: string | undefined
  readonly resolution: string | undefined
}

/** The price of a model by the list of OpenRouter. */
export interface SkuPrice {
  /** What a film with this input is expected to cost, in US dollars; `undefined` when the list does not say it. */
  usdOf(input: JsonObject): number | undefined
  /** The price as clients see it. */
  readonly modelPrice: ModelPrice
}

const size = '(?<resolution>\\d+p|\\dk)'
/** The rates that the list has for a second of film. Other names are of other units, such as tokens, or of other tasks. */
const rateNames: readonly (readonly [RegExp, unit: number])[] = [
  [
    new RegExp(
      `^(?:(?<mode>text|image)_to_video_)?duration_seconds(?:_(?<audio>with|without)_audio)?(?:_${size})?$`,
    ),
    1,
  ],
  [
    new RegExp(
      `^cents_per_(?:second_output|video_output_second)(?:_${size})?(?:_(?<audio>with|without)_audio)?$`,
    ),
    0.01,
  ],
  [new RegExp(`^per-video-second(?:-${size})?$`), 1],
]

/**
 * Reads the `pricing_skus` of a model in `GET /videos/models`, whose names differ by vendor:
 * `duration_seconds_with_audio_720p` in dollars, `cents_per_second_output` in cents. Where several rates may hold, the
 * highest counts, so that a budget is not exceeded.
 * @param longest the longest film of the model in seconds, for an input without a duration
 * @returns `undefined` when the list has no rate for a second of film, as for models that are billed by tokens
 */
export function skuPrice(skus: Readonly<Record<string, unknown>>, longest?: number): SkuPrice | undefined {
  const amount = (name: string) => Math.max(0, numberIn(skus[name]) ?? 0)
  const rates = Object.keys(skus).flatMap((name): Rate[] => {
    const usd = numberIn(skus[name])
    const [groups, unit] = rateNames
      .map(([pattern, unitUsd]) => [pattern.exec(name)?.groups, unitUsd] as const)
      .find(([match]) => match) ?? [undefined, 0]
    if (!groups || usd === undefined || usd < 0) return []
    const { mode, audio, resolution } = groups
    return [{ usd: usd * unit, mode, audio, resolution }]
  })
  if (rates.length === 0) return undefined
  const all = rates.map(({ usd }) => round(usd))
  const [least, most] = [Math.min(...all), Math.max(...all)]
  const text = least === most ? `${least} USD per second` : `${least} to ${most} USD per second`

  function usdOf(input: JsonObject): number | undefined {
    const seconds = numberIn(input['duration']) ?? longest
    const rate = rateFor(rates, input)
    if (seconds === undefined || rate === undefined) return undefined
    const { image, last_frame: last, reference_images: references = [] } = input
    const frames = [image ?? [], last ?? []].flat().length
    const extras =
      frames * amount('cents_per_image_input') * 0.01 +
      [references].flat().length * amount('reference_images')
    return round(Math.max(rate * seconds + extras, amount('minimum_cents_per_generation') * 0.01))
  }
  return { usdOf, modelPrice: { text, ...(least === most && { per: 'second', usd: least }), usdOf } }
}

/** The highest rate that may hold for an input. A rate for a resolution replaces the one for all. */
function rateFor(rates: readonly Rate[], { image, sound, resolution }: JsonObject): number | undefined {
  const mode = image === undefined ? 'text' : 'image'
  const audio = sound === undefined ? undefined : sound === true ? 'with' : 'without'
  const wanted = typeof resolution === 'string' ? resolution.toLowerCase() : undefined
  const possible = rates.filter(
    (rate) =>
      (rate.mode ?? mode) === mode &&
      (audio === undefined || (rate.audio ?? audio) === audio) &&
      (wanted === undefined || (rate.resolution ?? wanted) === wanted),
  )
  const fitting = possible.filter(
    (rate) =>
      wanted === undefined ||
      rate.resolution !== undefined ||
      !possible.some((other) => other.resolution && other.mode === rate.mode && other.audio === rate.audio),
  )
  return fitting.length === 0 ? undefined : Math.max(...fitting.map(({ usd }) => usd))
}

/** To a millionth of a dollar. */
function round(usd: number): number {
  return Math.round(usd * 1e6) / 1e6
}
