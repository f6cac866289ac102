import type { Usage, UsageRow } from '@genmount/client'
import { csvOf } from '@genmount/core/usage'
import { connect, type ConnectionOptions } from '../connection/connect.ts'
import type { Session } from '../program/session.ts'
import { plainText } from '../terminal/plain-text.ts'
import { writeTable } from '../terminal/table.ts'

type Grouping = 'day' | 'model' | 'key'

/** The options of `usage`. */
export interface UsageOptions extends ConnectionOptions {
  readonly from?: string
  readonly to?: string
  readonly by?: readonly Grouping[]
  readonly csv?: true
}

const sums = ['jobs', 'failed', 'outputs', 'seconds', 'cost_usd', 'unknown_costs', 'reserved_usd'] as const

/** Shows what the jobs of the key's owner have cost. */
export async function usage(session: Session, options: UsageOptions): Promise<void> {
  const { signal, stdout } = session
  const { from, to, by = [] } = options
  const client = connect(session, options)
  const rows: UsageRow[] = []
  let page: Usage | undefined
  do {
    // Later pages are of the time that the first one names, also if a day ends meanwhile.
    const time = page ? { from: page.from, to: page.to } : { from, to }
    page = await client.usage(
      { ...time, group_by: by.length > 0 ? by : undefined, cursor: page?.next_cursor ?? undefined },
      { signal },
    )
    rows.push(...page.data)
  } while (page.next_cursor)
  if (options.json) return stdout.json({ ...page, data: rows, has_more: false }, 2)
  if (options.csv) return void stdout.stream.write(csvOf([...by, ...sums], rows.map(plainRow)))
  // Without groups the sums of the whole answer are the row: they have what is reserved now, too.
  const lines: readonly UsageRow[] = by.length > 0 ? rows : [page]
  const cells = lines.map((row) => [...by.map((name) => row[name] ?? '-'), ...shownSums(row)])
  const heads = [...by, 'jobs', 'failed', 'outputs', 'seconds', 'cost', 'unknown', 'reserved']
  writeTable(
    stdout,
    heads.map((name) => name.toUpperCase()),
    cells,
  )
}

/** The row without characters that would control a terminal. */
function plainRow({ model, key, ...row }: UsageRow): UsageRow {
  return {
    ...row,
    ...(typeof model === 'string' && { model: plainText(model) }),
    ...(typeof key === 'string' && { key: plainText(key) }),
  }
}

function shownSums({
  jobs,
  failed,
  outputs,
  seconds,
  cost_usd,
  unknown_costs,
  reserved_usd,
}: UsageRow): string[] {
  const counts = [jobs, failed, outputs, seconds].map(String)
  return [...counts, `$${cost_usd}`, String(unknown_costs), `$${reserved_usd}`]
}
