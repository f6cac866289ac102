import { checkObject, type Json, type JsonObject } from '@genmount/core'
import { openFieldNames, type OpenFields } from './open-input.ts'

/**
 * How to send the interface's fields to a vendor that knows them under other names or in another form. For each field,
 * give either the vendor's name, with `[]` at the end if the vendor expects a list, or a function from the value to the
 * fields that the vendor expects instead.
 * @example { image: 'image_urls[]', resolution: 'size', duration: (seconds) => ({ duration: `${seconds}s` }) }
 */
export type VendorFields = {
  readonly [Name in keyof OpenFields]?: string | ((value: OpenFields[Name]) => JsonObject) | undefined
}

/**
 * Checks the option `fields` of a model.
 * @param name the option's name, for error messages
 * @param fields the option. @default every field goes to the vendor under its own name
 * @throws TypeError that names the option
 */
export function checkVendorFields(name: string, fields: unknown = {}): VendorFields {
  const isTold = (told: unknown) =>
    typeof told === 'function' || (typeof told === 'string' && /^\w+(\[\])?$/.test(told))
  const ways = checkObject(name, fields, " such as { image: 'image_url' }")
  if (Object.entries(ways).every(([field, told]) => openFieldNames.includes(field) && isTold(told)))
    return ways as VendorFields
  throw new TypeError(
    `${name} must map some of ${openFieldNames.join(', ')} to names of the model's own inputs, or to functions.`,
  )
}

/**
 * The vendor's names of the interface's fields, which clients therefore may not set in `provider_options`. A field that
 * a function translates is listed under its own name.
 */
export function namesAtVendor(fields: VendorFields): readonly string[] {
  const ways: Readonly<Record<string, unknown>> = fields
  return openFieldNames.map((name) => {
    const way = ways[name]
    return typeof way === 'string' ? way.replace('[]', '') : name
  })
}

/**
 * Translates a job's input for the vendor. `provider_options` go to the vendor unchanged, but the interface's own
 * fields win over them.
 * @returns `undefined` when a function of the app fails. It does not throw, because a throw during a submit means that
 *   the vendor may have received the task
 */
export function vendorInput(input: JsonObject, fields: VendorFields): JsonObject | undefined {
  const { provider_options, ...ours } = input
  const ways: Readonly<Record<string, string | ((value: never) => unknown) | undefined>> = fields
  let vendors = { ...(provider_options as JsonObject | undefined) }
  for (const [name, value] of Object.entries(ours)) {
    const told = toldAs(ways[name] ?? name, value)
    if (!told) return undefined
    vendors = { ...vendors, ...told }
  }
  return vendors
}

function toldAs(way: string | ((value: never) => unknown), value: Json): object | undefined {
  if (typeof way === 'string') return way.endsWith('[]') ? { [way.slice(0, -2)]: [value] } : { [way]: value }
  try {
    const made = way(value as never)
    return typeof made === 'object' && made !== null ? made : undefined
  } catch {
    return undefined
  }
}
