import type { Model } from '../wire/model.ts'

/** The units of prices that are counted by the outputs of a job. */
const outputUnits: readonly (string | null)[] = ['image', 'video', 'output']

/**
 * The price of a job before it is created, in US dollars, by the price that its model publishes and the defaults in the
 * model's schema.
 * @param input the input of the job, without `model`. It counts as one second or one output at least
 * @returns `undefined` if the price can't be known beforehand
 * @example knownPriceUsd(await client.model('flux'), { prompt: 'a kite', num_outputs: 2 }) // 0.006
 */
export function knownPriceUsd(
  { price, input_schema }: Pick<Model, 'price' | 'input_schema'>,
  input: Readonly<Record<string, unknown>>,
): number | undefined {
  if (price === null) return undefined
  const { per, usd_by: by } = price
  const properties = (input_schema?.['properties'] ?? {}) as Record<string, { default?: unknown } | undefined>
  const valueOf = (field: string) => input[field] ?? properties[field]?.default ?? undefined
  const choice = String(by && valueOf(by.field))
  const usd = price.usd ?? (by && Object.hasOwn(by.usd, choice) ? by.usd[choice] : undefined)
  if (!usd) return usd
  const isBySecond = per === 'second'
  if (!isBySecond && !outputUnits.includes(per)) return undefined
  // Without a number, a job makes one picture or one video. The length of a video has no default.
  const outputs = Math.ceil(numberOf(valueOf('num_outputs') ?? valueOf('n') ?? 1))
  const seconds = isBySecond ? numberOf(valueOf('duration')) : 1
  const units = Math.max(1, outputs) * Math.max(1, seconds)
  return Number.isFinite(units) ? usd * units : undefined
}

/** The number that a field of an input holds, also as text; `NaN` if it holds none. */
function numberOf(value: unknown): number {
  return typeof value === 'number' || (typeof value === 'string' && value.trim() !== '')
    ? Number(value)
    : Number.NaN
}
