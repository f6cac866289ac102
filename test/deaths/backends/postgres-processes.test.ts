import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { describe, expect, test, type TestContext } from 'vitest'
import { postgresBackend } from '@genmount/backend-postgres'
import { locksOf, terminateOthers } from '../../backend-postgres/two-nodes.ts'
import { databaseOfFile, newSchema } from '../../postgres/temporary-database.ts'
import { launch } from '../../processes/launch.ts'
import type { Runtime } from '../../processes/runtimes.ts'
import { until } from '../../until.ts'
import { claimAndStay, release } from './claimant.ts'

const sharedDatabase = await databaseOfFile()
/** A database to which one test ends all connections. */
const ownDatabase = await databaseOfFile()

/**
 * A node, and others in processes of their own that have claimed jobs and stay. Tests that run at the same time have to say
 * to their own context what is to end with them.
 */
async function setUp({ onTestFinished }: TestContext, url = sharedDatabase) {
  const schema = newSchema()
  const pool = new pg.Pool({ connectionString: url, max: 5 })
  pool.on('error', () => {})
  const backend = postgresBackend({ pool, schema })
  await backend.ready?.()
  // As often as a service looks for due jobs. A process that does not use the database takes no lock.
  const looking = setInterval(() => void backend.jobs.due(Date.now(), 1).catch(() => {}), 500)
  onTestFinished(() => {
    clearInterval(looking)
    return backend.close().finally(() => pool.end())
  })
  return {
    pool,
    schema,
    backend,
    processes: backend.processes!,
    async claimant(ids: readonly string[], runtime?: Runtime) {
      const process = launch(claimAndStay([url, schema], ids, runtime))
      onTestFinished(async () => void (await process.kill()))
      return { process, id: await process.line() }
    },
  }
}

describe.concurrent('of the nodes on one Postgres database', () => {
  test.for(['node', 'deno', 'bun'] as const)(
    'a killed node on %s counts as ended within seconds, and the backend lists its jobs until their claims are given up',
    async (runtime, context) => {
      const { backend, processes, claimant } = await setUp(context)
      const [one, other] = [await claimant(['a', 'b'], runtime), await claimant(['c'])]
      expect(await processes.hasEnded(one.id)).toBe(false)
      await pause(2000)
      await one.process.kill()
      await until(() => processes.hasEnded(one.id))
      expect((await processes.leftBehind(10)).toSorted()).toEqual(['a', 'b'])
      expect(await processes.leftBehind(1)).toHaveLength(1)
      await release(backend, 'a')
      expect(await processes.leftBehind(10)).toEqual(['b'])
      await release(backend, 'b')
      expect(await processes.leftBehind(10)).toEqual([])
      expect(await processes.hasEnded(one.id)).toBe(true)
      expect(await processes.hasEnded(other.id)).toBe(false)
    },
  )

  test('a node that is frozen for 8 s does not count as ended, and a node that has closed does', async (context) => {
    const { pool, schema, processes, claimant } = await setUp(context)
    const [frozen, closing] = [await claimant(['a']), await claimant(['b'])]
    await until(async () => (await locksOf(pool, schema)) === 3)
    await frozen.process.freeze()
    await pause(8000)
    expect(await processes.hasEnded(frozen.id)).toBe(false)
    expect(await processes.leftBehind(10)).toEqual([])
    expect(await closing.process.ask('close')).toBe('closed')
    await until(() => processes.hasEnded(closing.id))
    expect(await processes.leftBehind(10)).toEqual(['b'])
  })

  test('nodes whose connections the server ends do not count as ended, and take their locks again', async (context) => {
    const { pool, schema, processes, claimant } = await setUp(context, ownDatabase)
    const other = await claimant(['a'])
    await until(async () => (await locksOf(pool, schema)) === 2)
    // From now on this node would say so if the other one had ended.
    await pause(6000)
    for (let round = 0; round < 3; round++) {
      await terminateOthers(pool)
      await pause(100)
      await until(async () => (await locksOf(pool, schema)) === 2, 20_000)
      expect(await processes.hasEnded(other.id)).toBe(false)
      expect(await processes.leftBehind(10)).toEqual([])
    }
    await other.process.kill()
    await until(() => processes.hasEnded(other.id), 8000)
  })

  test('a text that is no id of a process does not count as an ended process', async (context) => {
    const { processes } = await setUp(context)
    for (const id of ['', 'a b', "'; DROP TABLE jobs", processes.id])
      expect(await processes.hasEnded(id)).toBe(false)
  })
})
