import type { Model } from '@genmount/client'

/** For each unit of a price: the input fields that say how many units a job has. */
const countFields: Readonly<Record<string, readonly string[]>> = {
  image: ['num_outputs', 'n'],
  video: ['num_outputs', 'n'],
  second: ['duration'],
}

/**
 * The cost of a job by its model's published price, in US dollars.
 * @returns `undefined` if the cost cannot be known beforehand
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
  // Without a count, a job makes one picture or one video. The length of a video has no default.
  const units = Number(count ?? (price.per === 'second' ? Number.NaN : 1))
  return Number.isFinite(units) && units >= 0 ? usd * units : undefined
}
