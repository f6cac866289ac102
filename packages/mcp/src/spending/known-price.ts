import type { Model } from '@genmount/client'

/** The field of the input that says how many of a unit there will be. */
const countFields: Readonly<Record<string, readonly string[]>> = {
  image: ['num_outputs', 'n'],
  video: ['num_outputs', 'n'],
  second: ['duration'],
}

/**
 * What a job will cost by the price that its model shows, in US dollars.
 * @returns `undefined` where the price does not say so beforehand
 */
export function knownPriceUsd({ price, input_schema }: Model, input: object): number | undefined {
  if (price === null || price.per === null) return undefined
  const properties = (input_schema?.['properties'] ?? {}) as Record<string, { default?: unknown } | undefined>
  const valueOf = (field: string) =>
    (input as Record<string, unknown>)[field] ?? properties[field]?.default ?? undefined
  const usd = price.usd ?? (price.usd_by && price.usd_by.usd[String(valueOf(price.usd_by.field))])
  if (usd === 0) return 0
  const fields = countFields[price.per]
  if (typeof usd !== 'number' || fields === undefined) return undefined
  const count = fields.map(valueOf).find((value) => value !== undefined)
  // A picture or a film is one where nothing says how many. How long a film is has to be said.
  const units = Number(count ?? (price.per === 'second' ? Number.NaN : 1))
  return Number.isFinite(units) && units >= 0 ? usd * units : undefined
}
