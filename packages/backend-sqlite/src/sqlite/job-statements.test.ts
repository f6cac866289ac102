import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { jobStatements } from './job-statements.ts'
import { migrations } from './migrations.ts'

const database = new DatabaseSync(':memory:')
for (const migration of migrations) database.exec(migration)
const statements = Object.entries(jobStatements(database))

/** The steps that SQLite takes for a statement, in words. */
function planOf(sql: string): string[] {
  return database
    .prepare(`EXPLAIN QUERY PLAN ${sql}`)
    .all()
    .map(({ detail }) => String(detail))
}

test.each(statements)(
  'the statement of %s goes by an index, so that it costs the same for a million jobs as for a thousand',
  (_name, statement) => {
    expect(
      planOf(statement.sourceSQL).filter((step) =>
        // The tables that a statement itself makes have no more rows than it looks at.
        // The index of unfinished jobs has no other ones, so a scan of it costs the same for any number of finished jobs.
        /^SCAN (?!\d|json_each|\(subquery|CONSTANT ROW|owners$|jobs USING INDEX jobs_unfinished$)/.test(step),
      ),
    ).toEqual([])
  },
)

test.each(statements.filter(([name]) => name === 'list' || name === 'lengths'))(
  'the statement of %s reads the jobs of an owner in their order, and sorts nothing',
  (_name, statement) => {
    const plan = planOf(statement.sourceSQL)
    expect(plan[0]).toMatch(/^SEARCH jobs USING INDEX jobs_of_owner \(owner=\? AND id>\? AND id<\?\)$/)
    expect(plan.filter((step) => step.includes('B-TREE'))).toEqual([])
  },
)

test.each([
  ['all', 'jobs USING INDEX sqlite_autoindex_jobs_1 (id>? AND id<?)'],
  ['allCompleted', 'jobs USING INDEX jobs_completed (id>? AND id<?)'],
  ['allFailed', 'jobs USING INDEX jobs_failed (id>? AND id<?)'],
  ['allOwing', 'jobs USING INDEX jobs_owing (id>? AND id<?)'],
] as const)('%s reads the jobs of all owners in their order, and sorts none of those', (name, search) => {
  const [, statement] = statements.find(([each]) => each === name)!
  const plan = planOf(statement.sourceSQL)
  expect(plan[2]).toBe(`SEARCH ${search}`)
  // The page itself is sorted at the end.
  expect(plan.findIndex((step) => step.includes('B-TREE'))).toBe(plan.length - 1)
})

test('a job is found by the id of its task through an index that has no unfinished jobs', () => {
  const [, statement] = statements.find(([each]) => each === 'byTask')!
  expect(planOf(statement.sourceSQL)).toContain('SEARCH jobs USING INDEX jobs_by_task (<expr>=?)')
})

test.each([
  ['unfinished', ['jobs USING INDEX jobs_unfinished (owner=?)']],
  [
    'storedBytes',
    [
      'jobs USING COVERING INDEX jobs_stored (owner=? AND expires_at>?)',
      'uploads USING COVERING INDEX uploads_of_owner (owner=? AND expires_at>?)',
    ],
  ],
] as const)('%s goes by an index that has only the rows that count', (name, searches) => {
  const [, statement] = statements.find(([each]) => each === name)!
  const steps = planOf(statement.sourceSQL).filter((step) => /^(SCAN|SEARCH) (?!CONSTANT ROW)/.test(step))
  expect(steps).toEqual(searches.map((search) => `SEARCH ${search}`))
})
