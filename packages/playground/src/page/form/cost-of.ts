import type { Model } from '@genmount/client'
import type { Input } from './input-of.ts'

/** About what a job costs in US dollars. `undefined` if the price can't be derived from the input. */
export function costOf({ price, input_schema: schema }: Model, input: Input): number | undefined {
  if (!price) return undefined
  const properties = (schema?.['properties'] ?? {}) as Readonly<
    Record<string, { readonly default?: unknown }>
  >
  const value = (name: string) => input[name] ?? properties[name]?.default
  const by = price.usd_by
  const each = by ? by.usd[String(value(by.field))] : price.usd
  if (each === undefined || each === null) return undefined
  if (each === 0) return 0
  if (price.per === 'second') {
    const seconds = value('duration')
    return typeof seconds === 'number' ? each * seconds : undefined
  }
  if (!['image', 'output', 'video', 'film', 'job', 'run'].includes(price.per ?? '')) return undefined
  return each * (typeof value('num_outputs') === 'number' ? (value('num_outputs') as number) : 1)
}
