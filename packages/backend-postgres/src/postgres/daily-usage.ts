import { type JobStore, type UsageQuery, wholeDays } from '@genmount/core'
import { columnText } from './column-text.ts'
import type { JobDatabase, Row } from './job-database.ts'
import { usageParameters, usageRowIn } from './usage-rows.ts'
import { mostMergedRows, usageOfAllName } from './usage-statements.ts'

/** How many rows of sums a reader may find that could be merged. More make it slower than the merge. */
const mostSpareRows = 1000
/** Of how many ranges of days a process remembers how many rows of one job they have. */
const mostRanges = 100

/** The method of the job store that adds up the ledger. */
export function dailyUsage(database: Pick<JobDatabase, 'run'>): Required<Pick<JobStore, 'dailyUsage'>> {
  /** For each statement over all owners and its days, how many rows of one job its readers may find before they merge. */
  const mostSingleRows = new Map<string, number>()

  async function mergeOfOwner(query: UsageQuery, owner: string, rows: readonly Row[]): Promise<void> {
    if (Number(rows[0]?.['all_spare'] ?? 0) > mostSpareRows)
      await database.run('mergeUsage', [...wholeDays(query), columnText(owner)])
  }

  // Rows of one job that are alone on their day are not merged. So the next reader merges when there are more of them.
  async function mergeOfAll(query: UsageQuery, rows: readonly Row[]): Promise<void> {
    const range = [usageOfAllName(query.groupBy), ...wholeDays(query)].join()
    const single = Number(rows[0]?.['all_single'] ?? 0)
    const most = mostSingleRows.get(range) ?? mostSpareRows
    if (single <= most) {
      if (mostSingleRows.has(range)) mostSingleRows.set(range, Math.min(most, single + mostSpareRows))
      return
    }
    const [merged] = await database.run('mergeUsageOfAll', [...wholeDays(query)])
    if (mostSingleRows.size === mostRanges) mostSingleRows.clear()
    if (Number(merged?.['gone']) < mostMergedRows) mostSingleRows.set(range, single + mostSpareRows)
  }

  return {
    async dailyUsage(query) {
      const { owner, groupBy } = query
      const name = owner === undefined ? usageOfAllName(groupBy) : 'usage'
      const rows = await database.run(name, usageParameters(query))
      const merge = owner === undefined ? mergeOfAll(query, rows) : mergeOfOwner(query, owner, rows)
      // The sums are the same before and after rows are merged, so a fault of the merge is none of the reader's.
      await merge.catch(() => {})
      return rows.map((row) => usageRowIn(row, groupBy))
    },
  }
}
