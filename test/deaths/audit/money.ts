import { setTimeout as delay } from 'node:timers/promises'
import { postgresBackend } from '@genmount/backend-postgres'
import { sqliteBackend } from '@genmount/backend-sqlite'
import type { Backend } from '@genmount/core'
import pg from 'pg'
import type { LedgerEntry } from '../vendor/task-book.ts'

/** What each owner is granted to spend, in US dollars. */
export type Balances = Readonly<Record<string, number>>

/** What a service with balances reserves for each job, in US dollars. The vendor charges up to 0.02 more for some tasks. */
export const reservedUsd = 0.05

/** The pause between two looks, in milliseconds of the system. */
const lookEveryMs = 50

const microUsd = (usd: number) => Math.round(usd * 1e6)
const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0)

/**
 * Grants each owner a balance, and compares at every moment what is spent and reserved with a ledger of its own: what the
 * vendor has charged.
 * @param database the file, or the URL of a Postgres database, which no server has opened yet
 * @param chargedTo everything that the vendor has charged to an owner so far
 */
export async function auditMoney(
  database: string,
  balances: Balances,
  chargedTo: (owner: string) => readonly LedgerEntry[],
) {
  const { jobs, close } = await openBackend(database)
  for (const [owner, usd] of Object.entries(balances))
    await jobs.grant!({ id: owner, owner, usd, by: 'the auditor', why: 'the storm', grantedAt: 0 })
  const breaches = new Set<string>()
  const over = new AbortController()

  async function look(owner: string, usd: number): Promise<void> {
    const before = chargedTo(owner).map(({ costUsd }) => costUsd)
    const sums = await jobs.spending!(owner, [{ from: 0, costsFrom: 0, hasGrants: true }]).catch(() => [])
    // The file may be locked, or the connections gone.
    if (!sums[0]) return
    const { spentMicroUsd, reservedMicroUsd, grantedMicroUsd } = sums[0]
    const taken = spentMicroUsd + reservedMicroUsd
    const now = chargedTo(owner).map(({ costUsd }) => costUsd)
    if (grantedMicroUsd !== microUsd(usd)) breaches.add(`${owner} was granted ${grantedMicroUsd}`)
    if (taken > microUsd(usd) + aboveReserved(now))
      breaches.add(
        `${taken} are taken of the balance of ${owner}, ${aboveReserved(now)} above what was reserved`,
      )
    if (sumOf(before.map(microUsd)) > taken + aboveReserved(before))
      breaches.add(`${owner} was charged ${sumOf(before.map(microUsd))}, and ${taken} are taken`)
  }

  async function lookAtAll(): Promise<void> {
    for (const [owner, usd] of Object.entries(balances)) await look(owner, usd)
  }

  async function keepLooking(): Promise<void> {
    for (; !over.signal.aborted; await delay(lookEveryMs)) await lookAtAll()
  }
  const looking = keepLooking()

  /** What is booked for one owner when no job has a step left. @returns the ids of the jobs whose cost is not known */
  async function settle(owner: string): Promise<readonly string[]> {
    const [sums] = await jobs.spending!(owner, [{ from: 0, costsFrom: 0 }])
    const entries = await jobs.costs!({ owner, from: 0, to: 1e15, limit: 100_000 })
    const unknown = entries.filter(({ costUsd }) => costUsd === undefined).map(({ job }) => job)
    const settled = chargedTo(owner).filter(({ order }) => !unknown.includes(order.job_id))
    const spent = sumOf(settled.map(({ costUsd }) => microUsd(costUsd)))
    if (sums?.spentMicroUsd !== spent)
      breaches.add(`${owner} has spent ${sums?.spentMicroUsd}, and was charged ${spent}`)
    if (sums?.reservedMicroUsd !== unknown.length * microUsd(reservedUsd))
      breaches.add(
        `${sums?.reservedMicroUsd} are reserved for ${owner} at the end, with ${unknown.length} unknown costs`,
      )
    return unknown
  }

  return {
    /** To be called when no job has a step left. */
    async findings() {
      await lookAtAll()
      const unsettled = (await Promise.all(Object.keys(balances).map(settle))).flat()
      return {
        breaches: [...breaches],
        /** The ids of the ended jobs whose cost is not known, for which the reservation still counts. */
        unsettled,
      }
    },
    async close() {
      over.abort()
      await looking
      await close()
    },
  }
}

/** What the vendor has charged above what was reserved, in millionths of a US dollar. */
function aboveReserved(chargesUsd: readonly number[]): number {
  return sumOf(chargesUsd.map((usd) => Math.max(0, microUsd(usd) - microUsd(reservedUsd))))
}

async function openBackend(database: string): Promise<Pick<Backend, 'close' | 'jobs'>> {
  if (!database.startsWith('postgres:')) return sqliteBackend({ file: database })
  const pool = new pg.Pool({ connectionString: database, max: 2 })
  pool.on('error', () => {})
  const { jobs, close } = postgresBackend({ pool })
  return { jobs, close: () => close().then(() => pool.end()) }
}
