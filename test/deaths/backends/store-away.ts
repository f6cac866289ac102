import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { expect, type TestContext } from 'vitest'
import { startPostgres } from '../../postgres/start-postgres.ts'
import { startTcpProxy } from '../../start-tcp-proxy.ts'
import { until } from '../../until.ts'
import { storedJobs } from '../audit/stored-jobs.ts'
import { startCampaign } from '../campaign/campaign.ts'
import { createKeyedJob } from '../campaign/client.ts'
import { quickWish } from '../vendor/task-wish.ts'

type OnEnd = TestContext['onTestFinished']

/** A store that two servers share, and a way in which the first of them, or both, can't use it for a time. */
interface Away {
  /** What the first and the second server connect to. The test itself reads past the trouble, as the second one does. */
  readonly databases: readonly [first: string | undefined, second: string | undefined]
  begin(forMs: number): Promise<void> | void
  end(): Promise<void> | void
}

/** @param direct the URL of a Postgres database */
async function behindProxy(direct: string, how: 'cut' | 'freeze', onEnd: OnEnd): Promise<Away> {
  const url = new URL(direct)
  const proxy = await startTcpProxy(Number(url.port), onEnd)
  url.port = String(proxy.port)
  return {
    databases: [url.href, direct],
    begin: () => proxy[how](true),
    end: () => proxy[how](false),
  }
}

async function refusing(refuse: string, allow: string, onEnd: OnEnd): Promise<Away> {
  const server = await startPostgres()
  onEnd(() => server.stop())
  const url = server.url('postgres')
  const run = async (sql: string) => {
    const client = new pg.Client(url)
    await client.connect()
    await client.query('SET default_transaction_read_only = off')
    for (const statement of sql.split(';\n')) await client.query(statement)
    await client.end()
  }
  return { databases: [url, url], begin: () => run(refuse), end: () => run(allow) }
}

const readOnly = (isSo: boolean) =>
  `ALTER SYSTEM SET default_transaction_read_only = ${isSo ? 'on' : 'off'};\nSELECT pg_reload_conf()`

/** What Postgres says when its disk is full: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const diskFull = `CREATE FUNCTION disk_full() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  RAISE EXCEPTION USING ERRCODE = '53100', MESSAGE = 'No space left on device'; END $$;
CREATE TRIGGER disk_full BEFORE INSERT OR UPDATE ON genmount.jobs EXECUTE FUNCTION disk_full();
CREATE TRIGGER disk_full BEFORE INSERT OR UPDATE ON genmount.processes EXECUTE FUNCTION disk_full()`
const diskFree = `DROP TRIGGER disk_full ON genmount.jobs;\nDROP TRIGGER disk_full ON genmount.processes;\nDROP FUNCTION disk_full`

/** Ways on Postgres. The first two concern one node alone; the others all nodes. */
export const onPostgres = {
  'refuses and resets the connections of one node': (database: string, onEnd: OnEnd) =>
    behindProxy(database, 'cut', onEnd),
  'does not answer one node': (database: string, onEnd: OnEnd) => behindProxy(database, 'freeze', onEnd),
  'is stopped, and started again': async (_database: string, onEnd: OnEnd): Promise<Away> => {
    const server = await startPostgres()
    onEnd(() => server.stop())
    const url = server.url('postgres')
    let restarted: Promise<void> | undefined
    return {
      databases: [url, url],
      begin: (forMs) => void (restarted = server.restart(forMs)),
      end: () => restarted,
    }
  },
  'may only be read': (_database: string, onEnd: OnEnd) => refusing(readOnly(true), readOnly(false), onEnd),
  'has a full disk': (_database: string, onEnd: OnEnd) => refusing(diskFull, diskFree, onEnd),
} as const

/** Ways on SQLite, which concern all processes on the file. @param file where the servers keep their jobs */
export const onSqlite = {
  'is locked by another process': (file: () => string): Away => {
    let database: DatabaseSync | undefined
    return {
      databases: [undefined, undefined],
      async begin() {
        database = new DatabaseSync(file())
        await until(() => {
          try {
            database?.exec('BEGIN EXCLUSIVE')
            return true
          } catch {
            return false
          }
        })
      },
      end: () => database?.close(),
    }
  },
  'refuses all writes': (file: () => string): Away => {
    const run = (sql: string) => {
      const database = new DatabaseSync(file(), { timeout: 10_000 })
      database.exec(sql)
      database.close()
    }
    return {
      databases: [undefined, undefined],
      begin: () =>
        run(
          `CREATE TRIGGER disk_full BEFORE UPDATE ON jobs BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END`,
        ),
      end: () => run('DROP TRIGGER disk_full'),
    }
  },
} as const

const count = 16

/**
 * Sixteen jobs are submitted by the first of two servers, and paid for. Then the store is away for `forMs`, and meanwhile
 * the vendor answers. Expects that all complete, and that nobody is told of a failure.
 */
export async function expectAllDelivered(
  open: (file: () => string) => Away | Promise<Away>,
  forMs: number,
  onEnd: OnEnd,
): Promise<void> {
  const answer = Promise.withResolvers<void>()
  let file = ''
  const { databases, begin, end } = await open(() => file)
  const campaign = await startCampaign(onEnd, {
    delays: { answer: ({ kind }) => (kind === 'submit' ? answer.promise : undefined) },
  })
  file = campaign.places.database
  const [first = file, second = file] = databases
  campaign.places.database = first
  const holder = campaign.start()
  const address = await holder.address
  campaign.places.database = second
  await campaign.start().address
  const orders = Array.from({ length: count }, (_, index) => `order ${index}`)
  await Promise.all(
    orders.map((prompt) => {
      const wish = { ...quickWish, prompt, task_ms: 1000 }
      return createKeyedJob(campaign, address, { owner: 'alice', model: 'plain', wish, hasWebhook: true })
    }),
  )
  await until(() => campaign.vendor.ledger.length === count)
  // A node judges others only when it has been visible for five seconds itself.
  await delay(6000)
  await begin(forMs)
  const over = delay(forMs)
  await delay(500)
  answer.resolve()
  await over
  await end()
  await until(async () =>
    (await storedJobs(second)).every(({ phase }) => phase === 'completed' || phase === 'failed'),
  )
  expect((await storedJobs(second)).map(({ phase }) => phase)).toEqual(orders.map(() => 'completed'))
  await until(() => campaign.receiver.received.length >= count)
  expect(new Set(campaign.receiver.received.map(({ type }) => type))).toEqual(new Set(['job.completed']))
  expect(campaign.vendor.ledger).toHaveLength(count)
}
