import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { beforeAll, expect, test } from 'vitest'
import { postgresBackend } from '@genmount/backend-postgres'
import { createGenerationService } from '@genmount/core'
import { advance } from '@genmount/core/advance'
import { fakeProvider, quietLog } from '@genmount/testing'
import { created } from '../created.ts'
import { statementsOver } from '../postgres/statements-over.ts'
import { databaseOfFile, newSchema, poolOf } from '../postgres/temporary-database.ts'
import { launch } from '../processes/launch.ts'
import { scriptCommand } from '../processes/start-server.ts'
import { startTcpProxy } from '../start-tcp-proxy.ts'
import { until } from '../until.ts'

let url: string
beforeAll(async () => {
  url = await databaseOfFile()
})

type OnFinished = Parameters<typeof poolOf>[2]
const request = { owner: 'alice', model: 'fake-image', input: { prompt: 'a fox' } }

/** An instance of a function: a service with the plugin `advance` and a pool of one connection. */
function instanceOn(
  schema: string,
  onFinished: NonNullable<OnFinished>,
  vendor = fakeProvider(),
  pool = new pg.Pool({ connectionString: url, max: 1 }),
) {
  const service = createGenerationService({
    providers: [vendor],
    backend: postgresBackend({ pool, schema }),
    plugins: [advance()],
    log: quietLog(),
  })
  onFinished(async () => {
    await service.close({ timeoutMs: 100 })
    if (!pool.ended) await pool.end()
  })
  return { pool, vendor, service }
}

/** Makes it look as if no process of this schema had written a beat in the last four minutes. */
async function silence(schema: string, onFinished: NonNullable<OnFinished>): Promise<void> {
  const pool = poolOf(url, { max: 1 }, onFinished)
  await pool.query(`UPDATE ${schema}.processes SET seen_at = seen_at - interval '4 minutes'`)
}

test.concurrent('a service with the plugin advance makes no query while nobody calls it, whatever its pool', async ({
  onTestFinished,
}) => {
  const sentBy = await Promise.all(
    [1, 5].map(async (max) => {
      const schema = newSchema()
      const pool = new pg.Pool({ connectionString: url, max })
      const sent = statementsOver(pool, schema)
      const { service } = instanceOn(schema, onTestFinished, undefined, pool)
      const job = await created(service, request)
      await until(async () => (await service.get(job.id, 'alice')).phase === 'completed')
      await delay(4500)
      sent.length = 0
      await delay(5000)
      const whileIdle = [...sent]
      expect(await service.advance()).toEqual({ steps: 0 })
      return [...whileIdle, 'then', sent.includes('beat') && 'beat']
    }),
  )
  expect(sentBy).toEqual([
    ['then', 'beat'],
    ['then', 'beat'],
  ])
})

test.concurrent('a process keeps beating while it waits for a vendor, so that no other process takes its job for left behind', async ({
  onTestFinished,
}) => {
  const schema = newSchema()
  const pool = new pg.Pool({ connectionString: url, max: 1 })
  const sent = statementsOver(pool, schema)
  const { service, vendor } = instanceOn(schema, onTestFinished, fakeProvider({ latencyMs: 9000 }), pool)
  await created(service, request)
  await until(() => vendor.submits.length === 1)
  await delay(4000)
  sent.length = 0
  await delay(4000)
  expect(sent.filter((name) => name === 'beat').length).toBeGreaterThan(1)
})

test.concurrent('a job whose function was killed before its submit reached the vendor is submitted by the next call of a function that has just started, and is paid for once', async ({
  onTestFinished,
}) => {
  const schema = newSchema()
  const killed = instanceOn(
    schema,
    onTestFinished,
    fakeProvider({ find: true, behave: [{ submit: 'hang' }] }),
  )
  const job = await created(killed.service, request)
  await until(() => killed.vendor.submits.length > 0)
  // Nothing that this process does from now on reaches the database.
  await killed.pool.end()
  await silence(schema, onTestFinished)

  const vendor = fakeProvider({ find: true, behave: () => ({}) })
  const ended = async () => {
    const { service, pool } = instanceOn(schema, onTestFinished, vendor)
    await service.ready()
    await service.advance({ forMs: 1000 })
    const { phase } = await service.get(job.id, 'alice')
    await service.close()
    await pool.end()
    await delay(200)
    return phase === 'completed'
  }
  await until(ended, 30_000)
  expect(vendor.ledger).toHaveLength(1)
})

test.concurrent('functions that have ended leave no rows behind', async ({ onTestFinished }) => {
  const schema = newSchema()
  const first = instanceOn(schema, onTestFinished)
  await first.service.ready()
  await first.pool.end()
  await silence(schema, onTestFinished)
  const second = instanceOn(schema, onTestFinished)
  await second.service.advance()
  const { rows } = await second.pool.query(`SELECT id FROM ${schema}.processes`)
  expect(rows).toHaveLength(1)
})

test.concurrent('a function that was frozen while its connection died creates a job at once when it is thawed', async ({
  onTestFinished,
}) => {
  const through = new URL(url)
  const proxy = await startTcpProxy(Number(through.port), onTestFinished)
  through.port = String(proxy.port)
  const script = new URL('processes/function.ts', import.meta.url)
  const frozen = launch(scriptCommand('node', script, through.href, newSchema()))
  onTestFinished(async () => void (await frozen.kill()))
  expect(await frozen.line()).toBe('ready')
  expect(JSON.parse(await frozen.ask('create'))).toMatchObject({ outcome: 'created' })
  await frozen.freeze()
  proxy.freezeOpenOnes()
  await delay(8000)
  frozen.thaw()
  const { outcome, ms } = JSON.parse(await frozen.ask('create'))
  expect([outcome, ms < 5000]).toEqual(['created', true])
})
