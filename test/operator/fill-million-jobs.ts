export const size = 1_000_000
const owners = 1000
const dayMs = 24 * 60 * 60_000

/** The id of the task of each template at its vendor. That of a copy has the number of the copy instead. */
export const templateTask = 'task-template'

/** Which job the n-th one is like: most have completed, some have failed, few run or owe a delivery. */
const kinds = [
  { name: 'completed', count: 900_000 },
  { name: 'failed', count: 80_000 },
  { name: 'running', count: 10_000 },
  { name: 'owing', count: 10_000 },
]

/** The SQL of a column of a copied job. @param n the SQL of its number */
function copied(column: string, template: string, n: string, padded: string): string {
  const id = `'gen_0' || ${padded}`
  const owner = `'owner-' || (${n} % ${owners})`
  if (column === 'id') return id
  if (column === 'owner') return owner
  if (column === 'idempotency_key') return 'NULL'
  if (column === 'job')
    return `replace(replace(replace(job, '${template}', ${id}), '"alice"', '"' || ${owner} || '"'), '${templateTask}', 'task-' || ${n})`
  return `"${column}"`
}

/** How a store is asked. */
export interface Dialect {
  readonly columnsOf: (table: string) => Promise<readonly string[]>
  readonly table: (name: string) => string
  /** A source of numbers `n` from one to before another. */
  readonly numbers: (from: number, to: number) => string
  readonly padded: string
}

/**
 * The statements that make a million jobs of the templates. By each of the three keys of each owner, jobs have ended on each of
 * the last 30 days: 90,000 sums.
 */
export async function filling(
  ids: Readonly<Record<string, string>>,
  { columnsOf, table, numbers, padded }: Dialect,
): Promise<string> {
  const statements: string[] = []
  const columns = await columnsOf('jobs')
  let from = 0
  for (const { name, count } of kinds) {
    const template = ids[name]!
    const values = columns.map((column) => copied(column, template, 'n', padded))
    const to = from + count
    statements.push(
      `INSERT INTO ${table('jobs')} (${columns.map((column) => `"${column}"`)}) SELECT ${values} FROM ${table('jobs')}, ${numbers(from, to)} WHERE id = '${template}'`,
    )
    from = to
  }
  const costs = await columnsOf('costs')
  const cost = costs.map((column) => {
    if (column === 'job_id') return `'gen_0' || ${padded}`
    if (column === 'owner') return `'owner-' || (n % ${owners})`
    if (column === 'task_hash') return `hashtextextended('task-' || n, 0)`
    if (column === 'key_id') return `'key-' || (n / ${owners * 30} % 3)`
    return column === 'ended_at'
      ? `${Date.now()} - CAST(n / ${owners} % 30 AS bigint) * ${dayMs} - n % 1000`
      : `"${column}"`
  })
  statements.push(
    `INSERT INTO ${table('costs')} (${costs.map((column) => `"${column}"`)}) SELECT ${cost} FROM ${table('costs')}, ${numbers(0, size)} WHERE job_id = '${ids['completed']}'`,
  )
  const entry = `'{"id":"' || n || '","at":' || n || ',"by":"maria","action":"retry","why":"x","job":"gen_0' || ${padded} || '"}'`
  statements.push(
    `INSERT INTO ${table('audit')} (id, done_at, job_id, entry) SELECT CAST(n AS text), n, 'gen_0' || ${padded}, ${entry} FROM ${numbers(0, 100_000)}`,
  )
  return statements.join(';\n')
}
