import { GenerationError, type JsonObject } from '@genmount/core'
import type { ModelField, ModelFields } from '../models/model-fields.ts'

/** A size in the words of a model, and in those of OpenAI's API. */
export interface ChosenSize {
  /** The fields of the model's input. Empty for a model that chooses the size itself. */
  readonly fields: Readonly<Record<string, string | number>>
  /** The size that was chosen, such as `1024x1024`, or `3:2` where only the ratio can be chosen. */
  readonly size: string | undefined
}

interface Pixels {
  readonly width: number
  readonly height: number
}

const noChoice: ChosenSize = { fields: {}, size: undefined }

/** The names of sizes that models have, as `image_size` of models at fal. */
const namedSizes: Readonly<Record<string, Pixels>> = {
  square_hd: { width: 1024, height: 1024 },
  square: { width: 512, height: 512 },
  portrait_4_3: { width: 768, height: 1024 },
  portrait_16_9: { width: 576, height: 1024 },
  landscape_4_3: { width: 1024, height: 768 },
  landscape_16_9: { width: 1024, height: 576 },
}

/** Fields of models whose value is a whole size, each with how it is written. */
const sizeFields = ['size', 'image_size', 'resolution'] as const
const ratioFields = ['aspect_ratio', 'ratio'] as const

/**
 * Says a size of OpenAI's API in the words of a model: exactly where the model can, otherwise the nearest that it has.
 * @param size `auto` and `undefined` leave the choice to the model
 * @throws GenerationError `invalid_request` for a text that is no size
 */
export function chosenSize(size: string | undefined, fields: ModelFields | undefined): ChosenSize {
  if (size === undefined || size === 'auto') return noChoice
  const named = sizeFields.find((name) => fields?.get(name)?.choices?.includes(size))
  if (named) return { fields: { [named]: size }, size }
  const ratio = /^(\d{1,4}):(\d{1,4})$/.exec(size)
  const [, width, height] = ratio ?? /^(\d{1,5})[x*](\d{1,5})$/i.exec(size) ?? []
  const wanted = { width: Number(width), height: Number(height) }
  if (!(wanted.width > 0 && wanted.height > 0))
    throw new GenerationError('invalid_request', 'size must be auto or widthxheight, such as 1024x1024.', {
      param: 'size',
    })
  if (!fields) return noChoice
  if (ratio) return byRatio(wanted, fields, false) ?? noChoice
  return (
    byWidthAndHeight(wanted, fields) ??
    byWholeSize(wanted, fields) ??
    byRatio(wanted, fields, true) ??
    noChoice
  )
}

/** `width` and `height` as numbers. */
function byWidthAndHeight({ width, height }: Pixels, fields: ModelFields): ChosenSize | undefined {
  const [x, y] = [fields.get('width'), fields.get('height')]
  if (!x?.takesNumber || !y?.takesNumber) return undefined
  const chosen = { width: nearestNumber(width, x), height: nearestNumber(height, y) }
  return { fields: chosen, size: sizeText(chosen) }
}

/** A field whose values are sizes, such as `1024x1024` or `landscape_4_3`, or any text where the model has no ratio. */
function byWholeSize(wanted: Pixels, fields: ModelFields): ChosenSize | undefined {
  for (const name of sizeFields) {
    const field = fields.get(name)
    if (!field?.takesText) continue
    const sizes = (field.choices ?? []).map((text) => [text, pixelsOf(String(text))] as const)
    const chosen = nearest(
      sizes.flatMap(([text, pixels]) =>
        pixels ? [{ text, pixels, distance: sizeDistance(wanted, pixels) }] : [],
      ),
    )
    if (chosen) return { fields: { [name]: chosen.text }, size: sizeText(chosen.pixels) }
    const isFree = field.choices === undefined && !ratioFields.some((ratio) => fields.has(ratio))
    if (isFree) return { fields: { [name]: sizeText(wanted) }, size: sizeText(wanted) }
  }
  return undefined
}

/** An aspect ratio, and a `resolution` such as `720p` or `2K` if the client has said a whole size. */
function byRatio(wanted: Pixels, fields: ModelFields, withResolution: boolean): ChosenSize | undefined {
  const name = ratioFields.find((candidate) => fields.get(candidate)?.takesText)
  const ratio = name && nearestRatio(wanted, fields.get(name)!)
  const resolution = withResolution ? nearestResolution(wanted, fields.get('resolution')) : undefined
  if (!ratio && !resolution) return undefined
  const chosen = {
    ...(ratio && { [name!]: ratio }),
    ...(resolution && { resolution: resolution.text }),
  }
  const lines = resolution?.lines
  if (!ratio) return { fields: chosen, size: String(resolution!.text) }
  return { fields: chosen, size: lines === undefined ? ratio : sizeText(sizeOfLines(ratio, lines)) }
}

function nearestRatio(wanted: Pixels, { choices }: ModelField): string | undefined {
  if (choices === undefined) return reduced(wanted)
  const ratios = choices.flatMap((choice) => {
    const parts = /^(\d+):(\d+)$/.exec(String(choice))
    if (!parts) return []
    const pixels = { width: Number(parts[1]), height: Number(parts[2]) }
    return [{ text: String(choice), distance: ratioDistance(wanted, pixels) }]
  })
  return nearest(ratios)?.text
}

function nearestResolution(wanted: Pixels, field: ModelField | undefined) {
  const resolutions = (field?.choices ?? []).flatMap((text) => {
    const side = sideOf(String(text))
    if (!side) return []
    const distance = Math.abs(Math.log(side.of(wanted) / side.value))
    return [{ text, lines: side.lines, distance }]
  })
  return nearest(resolutions)
}

/** `720p` counts the lines of the shorter side, `2K` the pixels of a square. */
function sideOf(resolution: string) {
  const lines = Number(/^(\d+)p$/i.exec(resolution)?.[1])
  if (lines > 0) return { value: lines, lines, of: ({ width, height }: Pixels) => Math.min(width, height) }
  const thousands = Number(/^(\d+(?:\.\d+)?)k$/i.exec(resolution)?.[1])
  if (thousands > 0)
    return {
      value: thousands * 1024,
      lines: undefined,
      of: ({ width, height }: Pixels) => Math.sqrt(width * height),
    }
  return undefined
}

/** The size of a picture of this ratio whose shorter side has so many lines. */
function sizeOfLines(ratio: string, lines: number): Pixels {
  const [x = 1, y = 1] = ratio.split(':').map(Number)
  const even = (length: number) => Math.round(length / 2) * 2
  return x < y
    ? { width: lines, height: even((lines * y) / x) }
    : { width: even((lines * x) / y), height: lines }
}

/** The size in the words of OpenAI's API that an input of a model says, as far as it says one. */
export function sizeIn(input: JsonObject): string {
  const { width, height, resolution } = input
  if (width !== undefined && height !== undefined) return `${String(width)}x${String(height)}`
  const ratio = ratioFields.map((name) => input[name]).find((value) => typeof value === 'string')
  const lines = typeof resolution === 'string' ? sideOf(resolution)?.lines : undefined
  if (ratio !== undefined && lines !== undefined) return sizeText(sizeOfLines(ratio, lines))
  const texts = [ratio, ...sizeFields.map((name) => input[name])]
  return texts.filter((text) => typeof text === 'string').join(' ')
}

function pixelsOf(text: string): Pixels | undefined {
  if (Object.hasOwn(namedSizes, text)) return namedSizes[text]
  const parts = /^(\d+)[x*](\d+)$/i.exec(text)
  return parts ? { width: Number(parts[1]), height: Number(parts[2]) } : undefined
}

function reduced({ width, height }: Pixels): string {
  let [divisor, rest] = [width, height]
  while (rest > 0) [divisor, rest] = [rest, divisor % rest]
  return `${width / divisor}:${height / divisor}`
}

const sizeText = ({ width, height }: Pixels) => `${width}x${height}`

const ratioDistance = (one: Pixels, other: Pixels) =>
  Math.abs(Math.log((one.width * other.height) / (one.height * other.width)))

/** The form of a picture matters more than how many pixels it has. */
function sizeDistance(one: Pixels, other: Pixels): number {
  const byArea = Math.abs(Math.log((one.width * one.height) / (other.width * other.height)))
  return ratioDistance(one, other) * 4 + byArea
}

function nearest<Candidate extends { readonly distance: number }>(
  candidates: readonly Candidate[],
): Candidate | undefined {
  return candidates.toSorted((one, other) => one.distance - other.distance)[0]
}

/** The number that a field accepts and that is nearest. */
export function nearestNumber(wanted: number, field: ModelField): number {
  const { choices, minimum = -Infinity, maximum = Infinity, multipleOf = 1 } = field
  const numbers = choices?.filter((choice) => typeof choice === 'number')
  if (numbers?.length)
    return nearest(numbers.map((value) => ({ value, distance: Math.abs(value - wanted) })))!.value
  const bounded = Math.min(maximum, Math.max(minimum, wanted))
  const stepped = Math.round(bounded / multipleOf) * multipleOf
  if (stepped > maximum) return stepped - multipleOf
  return stepped < minimum ? stepped + multipleOf : stepped
}
