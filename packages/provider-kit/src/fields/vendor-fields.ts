import { checkObject, type Json, type JsonObject } from '@genmount/core'
import { openFieldNames, type OpenFieldName, type OpenFields, usualFields } from './open-fields.ts'

/**
 * Which fields of the interface a model has, and how the vendor calls them. For each field, give one of:
 *
 * - the vendor's name. With `[4]` at its end the vendor expects a list, here of at most 4; with `[]` of at most 16
 * - for `image`, `reference_images` and `reference_videos`, a list of the vendor's names: one for each picture
 * - a function from the value to the fields that the vendor expects instead; `image` is then a single picture
 * - `false`, if the model lacks the field. The field is then refused
 *
 * @example { image: 'image_urls[4]', last_frame: 'end_image_url', sound: 'generate_audio', seed: false }
 */
export type VendorFields = {
  readonly [Name in OpenFieldName]?:
    | string
    | false
    | ((value: OpenFields[Name]) => JsonObject)
    | (Name extends 'image' | 'reference_images' | 'reference_videos' ? readonly string[] : never)
    | undefined
}

type Way = string | false | readonly string[] | ((value: never) => unknown) | undefined
type Ways = Readonly<Record<string, Way>>

/** The fields in which a client may give several pictures or films. */
const listFields: readonly string[] = ['image', 'reference_images', 'reference_videos']
const mostInList = 16
const namePattern = /^(\w+)(?:\[([1-9]\d?)?\])?$/

/**
 * Checks the option `fields` of a model.
 * @param name the option's name, for error messages
 * @param fields the option. @default the fields of most models go to the vendor under their own names
 * @throws TypeError that names the option
 */
export function checkVendorFields(name: string, fields: unknown = {}): VendorFields {
  const isName = (way: unknown, pattern: RegExp) => typeof way === 'string' && pattern.test(way)
  const isTold = (field: string, way: unknown) =>
    way === false ||
    way === undefined ||
    typeof way === 'function' ||
    isName(way, namePattern) ||
    (Array.isArray(way) &&
      way.length > 0 &&
      listFields.includes(field) &&
      way.every((one) => isName(one, /^\w+$/)))
  const fieldNames: readonly string[] = openFieldNames
  const ways = checkObject(name, fields, " such as { image: 'image_url' }")
  if (Object.entries(ways).every(([field, way]) => fieldNames.includes(field) && isTold(field, way)))
    return ways as VendorFields
  throw new TypeError(
    `${name} must map some of ${fieldNames.join(', ')} to names of the model's own inputs (for ${listFields.join(', ')} also to a list of names), to functions, or to false.`,
  )
}

/**
 * The vendor's names of the interface's fields, which clients therefore may not set in `provider_options`. A field that
 * a function translates is listed under its own name.
 * @param name the name of the option `fields`, for error messages
 * @throws TypeError when two fields go under one name, unless both are lists
 */
export function namesAtVendor(name: string, fields: VendorFields): readonly string[] {
  const ways: Ways = fields
  const fieldOf = new Map<string, string>()
  const isList = (field: string) => typeof ways[field] === 'string' && ways[field].endsWith(']')
  for (const field of openFieldNames) {
    const isUsual = usualFields.image.includes(field) || usualFields.video.includes(field)
    const way = ways[field] ?? (isUsual ? field : false)
    if (way === false) continue
    const names = typeof way === 'function' ? [field] : [way].flat().map((text) => text.replace(/\[.*/, ''))
    for (const vendors of names) {
      const other = fieldOf.get(vendors)
      if (other !== undefined && !(isList(field) && isList(other)))
        throw new TypeError(`${name} sends ${other} and ${field} both as ${vendors}, which has room for one.`)
      fieldOf.set(vendors, field)
    }
  }
  return [...fieldOf.keys()]
}

/** How many pictures or films the model takes in the field. */
export function mostIn(name: OpenFieldName, fields: VendorFields): number {
  const way = (fields as Ways)[name]
  if (Array.isArray(way)) return way.length
  if (typeof way === 'function') return name === 'image' ? 1 : mostInList
  if (typeof way !== 'string' || !way.endsWith(']')) return 1
  return Number(namePattern.exec(way)?.[2] ?? mostInList)
}

/**
 * Translates a job's input for the vendor. `provider_options` go to the vendor unchanged, but the interface's own
 * fields win over them. Fields that go into the same list follow each other there.
 * @returns `undefined` when a function of the app fails, or the model lacks a field. It does not throw, because a throw
 *   during a submit means that the vendor may have received the task
 */
export function vendorInput(input: JsonObject, fields: VendorFields): JsonObject | undefined {
  const { provider_options, ...vendorFields } = input
  const ways: Ways = fields
  const ours: Record<string, Json> = {}
  // In the order of the vocabulary, so that the picture to edit comes before the reference pictures.
  const fieldNames: readonly string[] = openFieldNames
  const names = [...fieldNames.filter((name) => name in vendorFields), ...Object.keys(vendorFields)]
  for (const name of new Set(names)) {
    const way = toldAs(name, ways[name] ?? name, vendorFields[name] as Json)
    if (!way) return undefined
    for (const [vendors, value] of Object.entries(way)) {
      const before = ours[vendors]
      const isShared = Array.isArray(before) && Array.isArray(value)
      ours[vendors] = isShared ? [...(before as readonly Json[]), ...(value as readonly Json[])] : value
    }
  }
  return { ...(provider_options as JsonObject | undefined), ...ours }
}

function toldAs(name: string, way: NonNullable<Way>, value: Json): JsonObject | undefined {
  if (way === false) return undefined
  if (typeof way === 'function') return madeBy(way, value)
  const values = [value].flat() as readonly Json[]
  if (typeof way !== 'string')
    return Object.fromEntries(values.map((one, index) => [way[index] ?? name, one]))
  if (way.endsWith(']')) return { [way.replace(/\[.*/, '')]: values }
  return { [way]: listFields.includes(name) ? (values[0] as Json) : value }
}

function madeBy(way: (value: never) => unknown, value: Json): JsonObject | undefined {
  try {
    const made = way(value as never)
    return typeof made === 'object' && made !== null ? (made as JsonObject) : undefined
  } catch {
    return undefined
  }
}

/**
 * Sets the fields of a model to `false` whose parameters the operator fixes. Such a field is refused, because a
 * client's value for it would be ignored.
 * @param parameters the vendor's names of the fixed parameters
 */
export function withoutFixed(fields: VendorFields, parameters: readonly string[]): VendorFields {
  const isFixed = (way: Way) => typeof way === 'string' && parameters.includes(way.replace(/\[.*/, ''))
  return Object.fromEntries(
    Object.entries(fields).map(([name, way]) => [name, isFixed(way as Way) ? false : way]),
  )
}
