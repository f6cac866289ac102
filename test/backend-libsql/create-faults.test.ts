import { createClient, LibsqlError } from '@libsql/client'
import { expect, onTestFinished, test } from 'vitest'
import { libsqlBackend, type LibsqlClient, type LibsqlRows } from '@genmount/backend-libsql'
import { createGenerationService } from '@genmount/core'
import { limits } from '@genmount/core/limits'
import { apiKeys, toFetchHandler } from '@genmount/fetch-handler'
import { fakeProvider, quietLog } from '@genmount/testing'
import { temporaryFile } from '../backend-sqlite/temporary-file.ts'

type Batch = LibsqlClient['batch']
type Results = readonly LibsqlRows[]
type Fault = (run: () => Promise<Results>) => Promise<Results>

const failing =
  (error: unknown): Fault =>
  async () => {
    throw error
  }
const lost =
  (error: unknown): Fault =>
  async (run) => {
    await run()
    throw error
  }
const answering =
  (change: (results: Results) => unknown): Fault =>
  async (run) =>
    change(await run()) as Results
/** Changes the rows of all statements, or of all but the last one, which reads the clock of the database. */
const withRows = (change: (row: object) => unknown, isClockRight: boolean) =>
  answering((results) =>
    results.map(({ rows }, at) =>
      isClockRight && at === results.length - 1 ? { rows } : { rows: rows.map(change) },
    ),
  )
const withValues = (value: unknown, isClockRight: boolean) =>
  withRows((row) => Object.fromEntries(Object.keys(row).map((name) => [name, value])), isClockRight)

/** The errors of `@libsql/client` 0.17, by its codes; of fetch; and of SQLite in the words of a file. */
const errors: Readonly<Record<string, () => unknown>> = {
  SQLITE_BUSY: () => new LibsqlError('database is locked', 'SQLITE_BUSY'),
  'SQLITE_BUSY within a transaction': () =>
    new LibsqlError('cannot start a transaction within a transaction', 'SQLITE_ERROR'),
  SERVER_ERROR: () => new LibsqlError('Server returned HTTP status 502', 'SERVER_ERROR'),
  TRANSACTION_CLOSED: () => new LibsqlError('The transaction is closed', 'TRANSACTION_CLOSED'),
  SQLITE_CONSTRAINT: () => new LibsqlError('UNIQUE constraint failed: jobs.id', 'SQLITE_CONSTRAINT'),
  'fetch failed': () => new TypeError('fetch failed', { cause: new Error('ECONNRESET') }),
  'a SyntaxError': () => new SyntaxError('Unexpected token < in JSON'),
  undefined: () => undefined,
}
const answers: Readonly<Record<string, Fault>> = {
  'no results': answering(() => []),
  'undefined for results': answering(() => undefined),
  'results without rows': answering((results) => results.map(() => ({}))),
  'no rows': answering((results) => results.map(() => ({ rows: [] }))),
  'no rows but that of the clock': answering((results) => [
    ...results.slice(1).map(() => ({ rows: [] })),
    ...results.slice(-1),
  ]),
  'empty rows': withRows(() => ({}), false),
  'empty rows but that of the clock': withRows(() => ({}), true),
  'rows that are null': withRows(() => null, true),
  'values that are null': withValues(null, true),
  'values that are half a JSON': withValues('{"id":', true),
  'values that are no numbers': withValues('many', false),
}
const faults: readonly (readonly [string, Fault])[] = [
  ...Object.entries(errors).map(([name, make]) => [name, failing(make())] as const),
  ...Object.entries(errors)
    .slice(0, 3)
    .map(([name, make]) => [`${name} after its write`, lost(make())] as const),
  ...Object.entries(answers),
]

function openClient() {
  const client = createClient({ url: `file:${temporaryFile()}` })
  onTestFinished(() => client.close())
  return client
}

/** A service whose client answers each batch as this says, by the number of the batch since it was last set. */
async function serviceWith(client: LibsqlClient, clientToken: string) {
  let faultOf: (call: number) => Fault | undefined = () => undefined
  let calls = 0
  const batch: Batch = (statements, mode) => {
    const run = () => client.batch(statements, mode)
    const fault = faultOf(calls++)
    return fault ? fault(run) : run()
  }
  const service = createGenerationService({
    providers: [fakeProvider({ find: true })],
    backend: libsqlBackend({ client: { batch } }),
    plugins: [
      limits({ balance: true, runningJobs: 1e6, storedBytes: 1e12 }, { reserveUsd: { 'fake-image': 0.01 } }),
    ],
    log: quietLog(),
  })
  const owner = `owner of ${clientToken}`
  const handle = toFetchHandler(service, { authenticate: apiKeys({ [owner]: clientToken }) })
  await service.ready()
  await service.grant(owner, 1, { id: clientToken, by: 'test', why: 'test' })
  return {
    service,
    /** Creates a job. The faults are those of this request. */
    async create(faults: typeof faultOf, idempotencyKey?: string) {
      ;[faultOf, calls] = [faults, 0]
      const response = await handle(
        new Request('https://service.test/v1/generate', {
          method: 'POST',
          headers: {
            authorization: `Bearer ${clientToken}`,
            'content-type': 'application/json',
            ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
          },
          body: JSON.stringify({ model: 'fake-image', prompt: 'a fox' }),
        }),
      )
      const batches = calls
      faultOf = () => undefined
      return { status: response.status, words: await response.text(), batches }
    },
  }
}

const never = () => undefined

test.each(faults)(
  'a create is answered by its job or by 503 when the database fails with %s at any of its batches, and the next create succeeds',
  async (name, fault) => {
    const client = openClient()
    const unhurt = await serviceWith(client, 'unhurt')
    const { batches } = await unhurt.create(never, 'key')
    await unhurt.service.close()
    expect(batches).toBeGreaterThan(3)
    const wrong: string[] = []
    const strike = async (at: number, isLasting: boolean, key: string | undefined) => {
      const how = `${name}, ${isLasting ? 'from' : 'at'} batch ${at}${key ? ', with a key' : ''}`
      const { service, create } = await serviceWith(client, how.replaceAll(/[^a-z0-9]/gi, '-'))
      const hit = await create((call) => ((isLasting ? call >= at : call === at) ? fault : undefined), key)
      if (![202, 503].includes(hit.status)) wrong.push(`${how}: ${hit.status} ${hit.words}`)
      const next = await create(never, key)
      if (next.status !== 202) wrong.push(`after ${how}: ${next.status} ${next.words}`)
      await service.close()
    }
    const places = Array.from({ length: batches }, (_, at) => at)
    await Promise.all(places.map((at) => strike(at, false, 'key')))
    await Promise.all(places.map((at) => strike(at, true, undefined)))
    expect(wrong).toEqual([])
  },
)
