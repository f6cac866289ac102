import type { Model } from '@genmount/client'
import { expectedUsd } from '@genmount/core/pricing'
import type { Input } from './input-of.ts'

/**
 * About what a job costs, in US dollars, by the price that its model shows and the defaults in the model's schema.
 * @returns `undefined` where only the service can know it, or nobody
 */
export function priceOf({ price, input_schema: schema }: Model, input: Input): number | undefined {
  if (price === null) return undefined
  const { text, per, usd, usd_by: usdBy } = price
  const properties = (schema?.['properties'] ?? {}) as Record<string, { default?: unknown } | undefined>
  const defaults = Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [name, property?.default]),
  )
  const modelPrice = { text, per: per ?? undefined, usd: usd ?? undefined, usdBy: usdBy ?? undefined }
  return expectedUsd(modelPrice, { ...defaults, ...input } as Parameters<typeof expectedUsd>[1])
}
