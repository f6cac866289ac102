import type { CostEntry } from '../contracts/cost-entry.ts'
import type { JobStore } from '../contracts/job-store.ts'
import { checkCount } from '../errors/check-option.ts'
import { type CostPage, type CostRequest } from './generation-service.ts'

const defaultLimit = 100
const maxLimit = 1000

/** Reads one page of the ledger, as `GenerationService.costs` promises. */
export async function readCosts(jobs: JobStore, request: CostRequest): Promise<CostPage> {
  const { owner, from, to, after, limit = defaultLimit } = request
  if (typeof owner !== 'string') throw new TypeError('owner must be the name of an owner.')
  checkCount('from', from, 0)
  checkCount('to', to, 0)
  checkCount('limit', limit, 1, maxLimit)
  if (after !== undefined && (typeof after.job !== 'string' || !Number.isFinite(after.endedAt)))
    throw new TypeError('after must be `next` of the page before.')
  if (!jobs.costs)
    throw new Error('The backend of this service keeps no ledger: its job store has no costs().')
  const found = await jobs.costs({ owner, from, to, after, limit: limit + 1 })
  const entries = found.slice(0, limit)
  const last = entries.at(-1)
  return { entries, ...(found.length > limit && last && { next: placeOf(last) }) }
}

function placeOf({ job, endedAt }: CostEntry): Pick<CostEntry, 'job' | 'endedAt'> {
  return { job, endedAt }
}
