import type { CostEntry } from '../contracts/cost-entry.ts'
import { checkOptions } from '../errors/check-options.ts'
import { type CostRequest, checkRange, type Ledger, rangeTable, readCosts } from './read-costs.ts'

/** Selects the jobs whose costs are added up. Instants are milliseconds since the Unix epoch. */
export interface UsageRequest {
  /** The owner of the jobs. @default the jobs of all owners */
  readonly owner?: string | undefined
  /** Jobs that ended at this instant or later. */
  readonly from: number
  /** Jobs that ended before this instant. */
  readonly to: number
}

/** Sums over jobs that have ended. */
export interface UsageSums {
  /** How many jobs ended. */
  readonly jobs: number
  /** How many of these jobs failed. */
  readonly failed: number
  /** How many outputs the jobs have. */
  readonly outputs: number
  /** What the jobs have cost, in US dollars, rounded to a millionth. Unknown costs are not included. */
  readonly costUsd: number
  /** How many of these jobs have an unknown cost. */
  readonly unknownCosts: number
}

/** What `usage` of the service returns. */
export interface ServiceUsage extends UsageSums {
  /** The sums for each model with jobs that ended, by the id of the model. */
  readonly models: Readonly<Record<string, UsageSums>>
}

type Sums = { -readonly [Name in keyof UsageSums]: UsageSums[Name] }

/** Adds up the ledger, as documented at `UsageMethods.usage`. */
export async function readUsage(ledger: Ledger, request: UsageRequest): Promise<ServiceUsage> {
  const range = checkRange('usage', checkOptions('usage', request, rangeTable))
  const all = noSums()
  const byModel = new Map<string, Sums>()
  let after: CostRequest['after']
  do {
    const { entries, next } = await readCosts(ledger, { ...range, after, limit: 1000 })
    for (const entry of entries) {
      const ofModel = byModel.get(entry.model) ?? noSums()
      byModel.set(entry.model, ofModel)
      add(ofModel, entry)
      add(all, entry)
    }
    after = next
  } while (after)
  const models = [...byModel].map(([model, sums]) => [model, rounded(sums)] as const)
  return { ...rounded(all), models: Object.fromEntries(models) }
}

function noSums(): Sums {
  return { jobs: 0, failed: 0, outputs: 0, costUsd: 0, unknownCosts: 0 }
}

function add(sums: Sums, { outcome, outputs = 0, costUsd }: CostEntry): void {
  sums.jobs++
  sums.outputs += outputs
  if (outcome === 'failed') sums.failed++
  if (costUsd === undefined) sums.unknownCosts++
  else sums.costUsd += costUsd
}

/** Rounds to a millionth, because sums of binary fractions are not exact. */
function rounded(sums: Sums): UsageSums {
  return { ...sums, costUsd: Math.round(sums.costUsd * 1e6) / 1e6 }
}
