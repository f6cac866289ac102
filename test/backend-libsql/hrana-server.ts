import { json } from 'node:stream/consumers'
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite'
import { listen, type LoopbackServer } from '../loopback.ts'

/** A libSQL server for tests. */
export interface HranaServer extends LoopbackServer {
  /** How many requests with statements it has answered. */
  requests(): number
}

/**
 * A libSQL server for tests: the requests in JSON that `@libsql/client` makes over HTTP, on `node:sqlite`. No server of libSQL
 * can be installed here. It follows "Hrana over HTTP" of
 * https://github.com/tursodatabase/libsql/blob/main/docs/HRANA_3_SPEC.md (2026-11-28). Each stream ends with its request, as the
 * client's `batch` asks for, so a request has the database for itself. Each first part of the path is a database of its own.
 * @param open opens a new database. @default in memory
 */
export async function hranaServer(open = () => new DatabaseSync(':memory:')): Promise<HranaServer> {
  const databases = new Map<string, DatabaseSync>()
  let requests = 0
  const { origin, stop } = await listen(async (request, response) => {
    const [, name = '', version, action] = (request.url ?? '').split('/')
    // A client that is refused the encoding in protobuf uses JSON.
    if (version !== 'v2' || action !== 'pipeline') return void response.writeHead(404).end()
    requests++
    const database = databases.get(name) ?? open()
    databases.set(name, database)
    const body = (await json(request)) as { readonly requests: readonly StreamRequest[] }
    const stream = streamOn(database)
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ baton: null, base_url: null, results: body.requests.map(stream) }))
  })
  return { origin, stop, requests: () => requests }
}

type StreamRequest =
  | { readonly type: 'batch'; readonly batch: { readonly steps: readonly Step[] } }
  | { readonly type: 'store_sql'; readonly sql_id: number; readonly sql: string }
  | { readonly type: 'close_sql' | 'close' }

interface Step {
  readonly condition?: Condition | null
  readonly stmt: { readonly sql?: string; readonly sql_id?: number; readonly args: readonly HranaValue[] }
}

type Condition =
  | { readonly type: 'ok' | 'error'; readonly step: number }
  | { readonly type: 'not'; readonly cond: Condition }

interface HranaValue {
  readonly type: 'null' | 'integer' | 'float' | 'text'
  readonly value?: string | number
}

/** Answers the requests of one stream in order. */
function streamOn(database: DatabaseSync): (request: StreamRequest) => unknown {
  const texts = new Map<number, string>()
  return (request) => {
    const { type } = request
    if (type === 'store_sql') texts.set(request.sql_id, request.sql)
    if (type !== 'batch') return { type: 'ok', response: { type } }
    return { type: 'ok', response: { type, result: batchOn(database, request.batch.steps, texts) } }
  }
}

function batchOn(database: DatabaseSync, steps: readonly Step[], texts: ReadonlyMap<number, string>) {
  const results: unknown[] = []
  const errors: unknown[] = []
  const holds = (condition: Condition): boolean => {
    if (condition.type === 'not') return !holds(condition.cond)
    return (condition.type === 'ok' ? results : errors)[condition.step] !== null
  }
  for (const [index, { condition, stmt }] of steps.entries()) {
    results[index] = null
    errors[index] = null
    if (condition && !holds(condition)) continue
    try {
      results[index] = resultOf(database, stmt.sql ?? texts.get(stmt.sql_id ?? -1) ?? '', stmt.args)
    } catch (error) {
      errors[index] = { message: String((error as Error).message), code: 'SQLITE_ERROR' }
    }
  }
  return { step_results: results, step_errors: errors }
}

function resultOf(database: DatabaseSync, sql: string, args: readonly HranaValue[]) {
  const statement = database.prepare(sql)
  statement.setReadBigInts(true)
  const cols = statement.columns().map(({ name, type }) => ({ name, decltype: type }))
  const rows = statement.all(...args.map(({ value = null }) => value))
  return {
    cols,
    rows: rows.map((row) => cols.map(({ name }) => hranaValue(row[name] ?? null))),
    affected_row_count: 0,
    last_insert_rowid: null,
  }
}

function hranaValue(value: SQLOutputValue): HranaValue {
  if (value === null) return { type: 'null' }
  if (typeof value === 'bigint') return { type: 'integer', value: String(value) }
  return typeof value === 'number' ? { type: 'float', value } : { type: 'text', value: String(value) }
}
