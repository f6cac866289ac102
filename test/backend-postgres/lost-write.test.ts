import pg from 'pg'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { exampleJob } from '@genmount/testing'
import { databaseOfFile } from '../postgres/temporary-database.ts'
import { until } from '../until.ts'
import { nodeOn } from './two-nodes.ts'

let url: string
beforeAll(async () => {
  url = await databaseOfFile()
})

test('a replace that another node has overtaken is stale after one statement', async () => {
  const { jobs, pool, schema } = nodeOn(url)
  let sent: string[] = []
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...given: unknown[]) => unknown
    client.query = ((statement: { text: string }, ...rest: unknown[]) => {
      if (/UPDATE .*jobs SET/.test(statement.text)) sent.push(statement.text)
      return query(statement, ...rest)
    }) as typeof client.query
  })
  await jobs.insert(exampleJob())
  const other = new pg.Client(url)
  await other.connect()
  onTestFinished(() => other.end())
  await other.query('BEGIN')
  await other.query(`UPDATE ${schema}.jobs SET revision = 2 WHERE id = 'job-1'`)
  sent = []
  const outcome = jobs.replace({ ...exampleJob(), revision: 2 }, 1)
  const waits = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
  // This must not be asked on the connection of the transaction, where Postgres repeats its first answer.
  await until(async () => (await pool.query(waits)).rows.length > 0)
  await other.query('COMMIT')
  expect(await outcome).toBe('stale')
  expect(sent).toHaveLength(1)
})
