import type { Json, JsonObject } from '@genmount/core'
import { openFieldNames, type OpenFields } from './open-input.ts'

/**
 * How a vendor is told our fields, where it knows them otherwise: its own name of a field, with `[]` at the end where it
 * takes a list; or a function from the value to whatever fields it takes instead.
 * @example { image: 'image_urls[]', resolution: 'size', duration: (seconds) => ({ duration: `${seconds}s` }) }
 */
export type VendorFields = {
  readonly [Name in keyof OpenFields]?: string | ((value: OpenFields[Name]) => JsonObject) | undefined
}

/** @throws TypeError that names the option */
export function checkVendorFields(name: string, fields: VendorFields = {}): VendorFields {
  const isTold = (told: unknown) =>
    typeof told === 'function' || (typeof told === 'string' && /^\w+(\[\])?$/.test(told))
  if (Object.entries(fields).every(([field, told]) => openFieldNames.includes(field) && isTold(told)))
    return fields
  throw new TypeError(
    `${name} must give names of the model's own inputs, or functions, to some of ${openFieldNames.join(', ')}.`,
  )
}

/** What our fields are called at the vendor, as far as that is told by name: no client may set these by other means. */
export function namesAtVendor(fields: VendorFields): readonly string[] {
  const ways: Readonly<Record<string, unknown>> = fields
  return openFieldNames.map((name) => {
    const way = ways[name]
    return typeof way === 'string' ? way.replace('[]', '') : name
  })
}

/**
 * The input as the vendor is told it. Our fields win over `provider_options`, which are passed on as they are.
 * @returns `undefined` when the app's own function fails: to throw would mean that the vendor may have been asked
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
