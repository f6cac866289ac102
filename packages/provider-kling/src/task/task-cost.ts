import { costOf, type JsonObject } from '@genmount/core'
import { numberIn, recordOf } from '@genmount/provider-kit'
import type { OfferedModel } from '../provider/kling-options.ts'

type Fields = Readonly<Record<string, unknown>>

/** The job that a task was started for. */
export interface PricedJob {
  readonly model: Partial<Pick<OfferedModel, 'price' | 'outputKind'>>
  readonly input: JsonObject
}

/** What Kling has charged: an amount in US dollars, and units of a resource package. */
interface Bill {
  readonly usd: number
  /** `undefined` when Kling has not counted them. */
  readonly units: number | undefined
}

/**
 * What a task has cost, in US dollars. Kling charges US dollars, which count as they are, or units of a prepaid package, which
 * count at the model's price.
 * @returns `undefined` when Kling has charged another currency or units of another kind, or says nothing and the price needs it
 */
export function costIn(task: Fields, { model: { price, outputKind }, input }: PricedJob): number | undefined {
  const bill = billIn(task, outputKind)
  if (bill === 'unknown') return undefined
  if (bill === undefined) return costOf(price, { input, units: undefined })
  const forUnits = bill.units === 0 && bill.usd > 0 ? 0 : costOf(price, { input, units: bill.units })
  return forUnits === undefined ? undefined : Math.round((bill.usd + forUnits) * 1e6) / 1e6
}

/** Whether an answer says what the task has cost, if only that it was nothing. */
export function hasBill(task: Fields): boolean {
  return billIn(task, undefined) !== undefined
}

function billIn(task: Fields, kind: string | undefined): Bill | 'unknown' | undefined {
  const { billing, final_unit_deduction, final_balance_deduction } = task
  if (Array.isArray(billing) && billing.length > 0) return sumOf(billing.map(recordOf), kind)
  // The currency of the older answers' amount is not published.
  if (numberIn(recordOf(final_balance_deduction)['quota'])) return 'unknown'
  const units = numberIn(final_unit_deduction)
  return units === undefined ? undefined : { usd: 0, units }
}

function sumOf(entries: readonly Fields[], kind: string | undefined): Bill | 'unknown' {
  let usd = 0
  let units: number | undefined = 0
  for (const { charge_type, currency, package_type, amount } of entries) {
    const number = numberIn(amount)
    const value = number === undefined || number < 0 ? undefined : number
    if (value === 0) continue
    const isOfKind = package_type === undefined || package_type === kind
    if (charge_type === 'unit' && isOfKind) units = sumIfKnown(units, value)
    else if (charge_type === 'cash' && currency === 'USD' && value !== undefined) usd += value
    else return 'unknown'
  }
  return { usd, units }
}

function sumIfKnown(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? undefined : one + other
}
