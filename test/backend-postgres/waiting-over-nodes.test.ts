import pg from 'pg'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Job, JobStore } from '@genmount/core'
import type { PostgresPool } from '@genmount/backend-postgres'
import { exampleJob } from '@genmount/testing'
import { databaseOfFile, newSchema, poolOf } from '../postgres/temporary-database.ts'
import { until } from '../until.ts'
import { locksOf, nodeOn, terminateOthers } from './two-nodes.ts'

let url: string
beforeAll(async () => {
  url = await databaseOfFile()
})

const { dueAt: _dueAt, ...finished } = exampleJob({ phase: 'completed' })

async function finish(jobs: JobStore, id: string): Promise<void> {
  const job = (await jobs.get(id)) as Job
  const next = { ...finished, id, revision: job.revision + 1 }
  expect(await jobs.replace(next, job.revision)).toBe('replaced')
}

async function twoNodes(pool?: (url: string) => PostgresPool) {
  const schema = newSchema()
  const here = nodeOn(url, schema, pool && { pool: pool(url) })
  const there = nodeOn(url, schema)
  await here.backend.ready?.()
  await there.backend.ready?.()
  return { schema, here, there }
}

/** Resolves with the milliseconds from the end of the job on another node to the wake on this one. */
async function wakeOf({ here, there }: Awaited<ReturnType<typeof twoNodes>>, id: string): Promise<number> {
  await there.jobs.insert(exampleJob({ id }))
  let revision = 0
  const read = async () => (await here.jobs.get(id))?.revision ?? 0
  const end = here.signals.subscribe(id, (job) => {
    if (job) revision = job.revision
    else read().then((found) => (revision = found), console.error)
  })
  await here.jobs.get(id)
  // After this pause the other node knows of the wait.
  await new Promise((resolve) => setTimeout(resolve, 100))
  await finish(there.jobs, id)
  const took = await until(() => revision === 2)
  end()
  return took
}

/** Measures so many wakes, one after another. @returns their times in milliseconds, the shortest first */
async function wakesOf(nodes: Awaited<ReturnType<typeof twoNodes>>, count: number): Promise<number[]> {
  const times: number[] = []
  while (times.length < count) times.push(await wakeOf(nodes, `job-${times.length}`))
  return times.toSorted((a, b) => a - b)
}

/** Listens as another client does. */
async function heardOn(schema: string): Promise<string[]> {
  const heard: string[] = []
  const client = new pg.Client(url)
  await client.connect()
  onTestFinished(() => client.end())
  client.on('notification', ({ payload }) => heard.push(payload ?? ''))
  await client.query(`LISTEN genmount_${schema}`)
  return heard
}

test('whoever waits on one node is woken within 300 ms when the job ends on another one', async () => {
  const nodes = await twoNodes()
  await until(async () => (await locksOf(nodes.here.pool, nodes.schema)) === 2)
  expect((await wakesOf(nodes, 40))[38]).toBeLessThan(300)
})

test('the database sends no notification for jobs for which nobody waits elsewhere', async () => {
  const { schema, here, there } = await twoNodes()
  await until(async () => (await locksOf(here.pool, schema)) === 2)
  const heard = await heardOn(schema)
  there.signals.subscribe('own', () => {})
  for (const id of ['nobody', 'own', 'waited']) await there.jobs.insert(exampleJob({ id }))
  here.signals.subscribe('waited', () => {})
  await new Promise((resolve) => setTimeout(resolve, 200))
  for (const id of ['nobody', 'own', 'waited']) await finish(there.jobs, id)
  await until(() => heard.length > 0, 2000)
  expect(heard).toEqual(['waited'])
})

test('without notifications whoever waits is woken within 3 seconds', async () => {
  const deaf = (address: string): PostgresPool => {
    const pool = poolOf(address, { max: 3 })
    return {
      async connect() {
        const client = await pool.connect()
        client.removeAllListeners('error').on('error', () => {})
        return {
          query: (statement) => client.query(statement),
          release: (destroy) => client.release(destroy),
        }
      },
    }
  }
  expect(await wakeOf(await twoNodes(deaf), 'job-1')).toBeLessThan(3000)
})

test('a node whose pool has a single connection works, and is woken within 3 seconds', async () => {
  expect(await wakeOf(await twoNodes((address) => poolOf(address, { max: 1 })), 'job-1')).toBeLessThan(3000)
})

test('the server ends all connections while somebody waits: the wait ends as it should, and later ones are quick again', async () => {
  const nodes = await twoNodes()
  const { schema, here, there } = nodes
  const own = poolOf(url, { max: 1 })
  await until(async () => (await locksOf(own, schema)) === 2)
  await there.jobs.insert(exampleJob({ id: 'waited' }))
  let wakes = 0
  here.signals.subscribe('waited', () => wakes++)
  await new Promise((resolve) => setTimeout(resolve, 100))
  wakes = 0
  await terminateOthers(own)
  // Each idle connection of the node has been ended, and may fail one call.
  const isFinished = () =>
    finish(there.jobs, 'waited').then(
      () => true,
      () => false,
    )
  await until(isFinished)
  await until(() => wakes > 0, 3000)
  await until(async () => (await locksOf(own, schema)) === 2)
  // The first calls after that find the other connections that the server has ended.
  await Promise.allSettled(
    [here, there].flatMap(({ jobs }) => Array.from({ length: 5 }, () => jobs.get('waited'))),
  )
  // Without notifications a node looks every 1.5 s, so only one wake of five would be this quick.
  expect((await wakesOf(nodes, 9))[4]).toBeLessThan(300)
})

test('what waits leave in the database goes when they end', async () => {
  const { schema, here } = await twoNodes()
  const count = async () =>
    Number((await here.pool.query(`SELECT count(*) FROM ${schema}.waits`)).rows[0].count)
  const ends = Array.from({ length: 2500 }, (_, index) => here.signals.subscribe(`job-${index}`, () => {}))
  await until(async () => (await count()) === 2500)
  for (const end of ends) end()
  await until(async () => (await count()) === 0)
})

test('signals that were closed tell the database of no more waits, and may be closed again', async () => {
  const { schema, here, there } = await twoNodes()
  await here.signals.close?.()
  await here.signals.close?.()
  here.signals.subscribe('waited', () => {})
  there.signals.subscribe('waited', () => {})
  const waiting = async () => (await here.pool.query(`SELECT process FROM ${schema}.waits`)).rows
  // A closed node would not show its wait before this moment either: both nodes write their waits after the same pause.
  await until(async () => (await waiting()).some(({ process }) => process === there.processes.id))
  expect(await waiting()).toEqual([{ process: there.processes.id }])
})
