import pg from 'pg'
import { beforeAll, expect, test, type TestContext } from 'vitest'
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

interface TwoNodesOptions {
  readonly database?: string
  /** The pool of the node here. @default one with five connections */
  readonly pool?: PostgresPool
}

async function twoNodes({ onTestFinished }: TestContext, { database = url, pool }: TwoNodesOptions = {}) {
  const schema = newSchema()
  const here = nodeOn(database, schema, pool && { pool }, onTestFinished)
  const there = nodeOn(database, schema, {}, onTestFinished)
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
async function heardOn({ onTestFinished }: TestContext, schema: string): Promise<string[]> {
  const heard: string[] = []
  const client = new pg.Client(url)
  await client.connect()
  onTestFinished(() => client.end())
  client.on('notification', ({ payload }) => heard.push(payload ?? ''))
  await client.query(`LISTEN genmount_${schema}`)
  return heard
}

test.concurrent('a waiter on one node is woken within 300 ms when the job ends on another node', async (context) => {
  const nodes = await twoNodes(context)
  await until(async () => (await locksOf(nodes.here.pool, nodes.schema)) === 2)
  expect((await wakesOf(nodes, 40))[38]).toBeLessThan(300)
})

test.concurrent('Postgres sends no notification for jobs that have no waiter on another node', async (context) => {
  const { schema, here, there } = await twoNodes(context)
  await until(async () => (await locksOf(here.pool, schema)) === 2)
  const heard = await heardOn(context, schema)
  there.signals.subscribe('own', () => {})
  for (const id of ['nobody', 'own', 'waited']) await there.jobs.insert(exampleJob({ id }))
  here.signals.subscribe('waited', () => {})
  await new Promise((resolve) => setTimeout(resolve, 200))
  for (const id of ['nobody', 'own', 'waited']) await finish(there.jobs, id)
  await until(() => heard.length > 0)
  expect(heard).toEqual(['waited'])
})

test.concurrent('without notifications, a waiter is woken within 3 seconds', async (context) => {
  const pool = poolOf(url, { max: 3 }, context.onTestFinished)
  const deaf: PostgresPool = {
    async connect() {
      const client = await pool.connect()
      client.removeAllListeners('error').on('error', () => {})
      return {
        query: (statement) => client.query(statement),
        release: (destroy) => client.release(destroy),
      }
    },
  }
  expect(await wakeOf(await twoNodes(context, { pool: deaf }), 'job-1')).toBeLessThan(3000)
})

test.concurrent('with a pool of one connection, a node works and its waiters are woken within 3 seconds', async (context) => {
  const pool = poolOf(url, { max: 1 }, context.onTestFinished)
  expect(await wakeOf(await twoNodes(context, { pool }), 'job-1')).toBeLessThan(3000)
})

test.concurrent('after Postgres ends all connections, a waiter is woken within 3 seconds, and later ones within 300 ms', async (context) => {
  const database = await databaseOfFile()
  const nodes = await twoNodes(context, { database })
  const { schema, here, there } = nodes
  const own = poolOf(database, { max: 1 }, context.onTestFinished)
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

test.concurrent('the rows of waits leave the database when the waits end', async (context) => {
  const { schema, here } = await twoNodes(context)
  const count = async () =>
    Number((await here.pool.query(`SELECT count(*) FROM ${schema}.waits`)).rows[0].count)
  const ends = Array.from({ length: 2500 }, (_, index) => here.signals.subscribe(`job-${index}`, () => {}))
  await until(async () => (await count()) === 2500)
  for (const end of ends) end()
  await until(async () => (await count()) === 0)
})

test.concurrent('after close, signals write no more waits to the database, and close can be called again', async (context) => {
  const { schema, here, there } = await twoNodes(context)
  await here.signals.close?.()
  await here.signals.close?.()
  here.signals.subscribe('waited', () => {})
  there.signals.subscribe('waited', () => {})
  const waiting = async () => (await here.pool.query(`SELECT process FROM ${schema}.waits`)).rows
  // A closed node would not show its wait before this moment either: both nodes write their waits after the same pause.
  await until(async () => (await waiting()).some(({ process }) => process === there.processes.id))
  expect(await waiting()).toEqual([{ process: there.processes.id }])
})
