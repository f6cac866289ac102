import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { exampleJob } from '@genmount/testing'
import type { Job } from '@genmount/core'
import { statementsOver } from '../postgres/statements-over.ts'
import { databaseOfFile, newSchema } from '../postgres/temporary-database.ts'
import { nodeOn } from './two-nodes.ts'

let url: string
beforeAll(async () => {
  url = await databaseOfFile()
})

const long = { prompt: 'a fox '.repeat(1000) }
/** A new job, that job when its task runs, and at its end. Some have long inputs, no cost, or text that Postgres can't store. */
function livesOf(count: number, prefix: string): [Job, Job, Job][] {
  return Array.from({ length: count }, (_, n) => {
    const more = n % 3 === 0 ? { input: long, shownInput: long } : {}
    const first = exampleJob({
      id: `${prefix}-${n}${n % 5 === 0 ? '\0\ud800' : ''}`,
      owner: `owner ${n % 2}`,
      ...more,
    })
    const handle = n % 5 === 0 ? '\0\ud800 "\\' : 'task'
    const running: Job = {
      ...first,
      revision: 2,
      phase: 'running',
      handle,
      dueAt: first.createdAt + 5000 + n,
    }
    const { dueAt: _due, ...rest } = running
    const outputs = [{ fileKey: 'a', bytes: 7 + n }]
    const completedAt = first.createdAt + 9000
    const ended: Job = { ...rest, revision: 3, phase: 'completed', outputs, costUsd: n / 10, completedAt }
    const { input: _input, ...kept } = ended
    return [first, running, n % 2 ? { ...kept, isCostKnown: true as const } : kept]
  })
}

/** Everything that a schema has stored, without the numbers of parts. */
async function storedIn({ pool, schema }: ReturnType<typeof nodeOn>, prefix: string): Promise<unknown> {
  const read = async (sql: string) => (await pool.query(sql)).rows
  return JSON.parse(
    JSON.stringify({
      jobs: await read(`
        SELECT *, task_part IS NULL AS no_task, input_part IS NULL AS no_input, NULL AS task_part, NULL AS input_part
        FROM ${schema}.jobs ORDER BY id`),
      costs: await read(`SELECT * FROM ${schema}.costs ORDER BY job_id`),
      parts: await read(`SELECT text FROM ${schema}.parts ORDER BY id`),
    }).replaceAll(prefix, '?'),
  )
}

test('writes that go together store what they store alone, and are fewer statements', async () => {
  const [alone, together] = [nodeOn(url), nodeOn(url)]
  await Promise.all([alone, together].map(({ backend }) => backend.ready?.()))
  const sent = statementsOver(together.pool, together.schema)
  const [lives, others] = [livesOf(30, 'one'), livesOf(30, 'two')]
  for (const step of [0, 1, 2])
    for (const life of lives) {
      if (step === 0) expect(await alone.jobs.insert(life[0])).toEqual({ outcome: 'inserted' })
      else expect(await alone.jobs.replace(life[step]!, step)).toBe('replaced')
    }
  await Promise.all(others.map(([first]) => together.jobs.insert(first)))
  for (const step of [1, 2]) {
    const writes = await Promise.all(others.map((life) => together.jobs.replace(life[step]!, step)))
    expect(new Set(writes)).toEqual(new Set(['replaced']))
  }
  expect(await storedIn(together, 'two')).toEqual(await storedIn(alone, 'one'))
  expect(sent.filter((name) => name === 'writeSeveral').length).toBeGreaterThan(0)
  expect(
    sent.filter((name) => /^(insert|replace|replaceFinished|writeSeveral)$/.test(name)).length,
  ).toBeLessThan(30)
  expect(await together.jobs.get(others[3]![0].id)).toEqual(others[3]![2])
})

test('two nodes that write the same jobs at the same time write each job once, and none waits for the other in a circle', async () => {
  const schema = newSchema()
  const nodes = [nodeOn(url, schema), nodeOn(url, schema)]
  const lives = livesOf(200, 'both')
  await Promise.all(lives.map(([first]) => nodes[0]!.jobs.insert(first)))
  const before = performance.now()
  const outcomes = await Promise.all(
    nodes.map((node, index) => {
      const order = index === 0 ? lives : lives.toReversed()
      return Promise.all(order.map(([, running]) => node.jobs.replace(running, 1))).then((all) =>
        index === 0 ? all : all.toReversed(),
      )
    }),
  )
  lives.forEach((_, n) =>
    expect([outcomes[0]![n], outcomes[1]![n]].toSorted(), `job ${n}`).toEqual(['replaced', 'stale']),
  )
  const { rows } = await nodes[0]!.pool.query(
    `SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()`,
  )
  expect(Number(rows[0].deadlocks)).toBe(0)
  expect(performance.now() - before).toBeLessThan(30_000)
})

test('each job of a statement of many writes is told to the nodes that wait for it, and no other job', async () => {
  const { pool, schema, jobs } = nodeOn(url)
  const lives = livesOf(20, 'told')
  await Promise.all(lives.map(([first]) => jobs.insert(first)))
  const ids = lives.map(([{ id }]) => id).filter((id) => !id.includes('\0'))
  const waited = ids.filter((_, n) => n % 2 === 0)
  await pool.query(`INSERT INTO ${schema}.waits SELECT id, 'another process' FROM unnest($1::text[]) AS id`, [
    waited,
  ])
  const listener = await pool.connect()
  onTestFinished(() => listener.release(true))
  const told: (string | undefined)[] = []
  listener.on('notification', ({ payload }) => told.push(payload))
  await listener.query(`LISTEN genmount_${schema}`)
  const sent = statementsOver(pool, schema)
  await Promise.all(lives.map(([, running]) => jobs.replace(running, 1)))
  await expect.poll(() => told.toSorted(), { timeout: 15_000 }).toEqual(waited.toSorted())
  expect(sent.filter((name) => name === 'replace').length).toBeLessThan(ids.length)
})
