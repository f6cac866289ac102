import {
  type AlarmStatements,
  alarmStatements,
  type JobStatements,
  jobStatements,
  missingMigrations,
  type Parameter,
  type Statement,
  type StatementRunner,
} from '@genmount/backend-sqlite/statements'
import type { ObjectStorage } from './object-storage.ts'

/**
 * The tables of jobs in the database of a Durable Object. All statements run at once, before a call returns. What follows from a
 * write, such as an answer to a client or a request to a vendor, leaves the object only when the write is durable, so nothing here
 * waits for the disk. If the write fails, it is never sent, and the object is restarted: the output gate of
 * https://blog.cloudflare.com/durable-objects-easy-fast-correct-choose-three/ (2026-11-27).
 */
export interface ObjectDatabase extends StatementRunner {
  /**
   * The statements of the alarm, for use within a call. The first use creates or migrates the tables.
   * @throws Error that says why it can't
   */
  alarm(): AlarmStatements
}

/** The database of an object. Nothing is read or written before the first use. */
export function objectDatabase(storage: ObjectStorage): ObjectDatabase {
  let opened: { readonly jobs: JobStatements; readonly alarm: AlarmStatements } | undefined

  function open() {
    if (opened) return opened
    storage.transactionSync(() => migrate(storage))
    const database = { prepare: (sql: string) => objectStatement(storage, sql) }
    return (opened = { jobs: jobStatements(database), alarm: alarmStatements(database) })
  }

  return {
    alarm: () => open().alarm,
    read: async (ask) => ask(open().jobs),
    glance: async (ask) => ask(open().jobs),
    async write(change) {
      const { jobs } = open()
      return storage.transactionSync(() => change(jobs))
    },
  }
}

/** Objects refuse `PRAGMA user_version`, so the version of the schema has a table. */
function migrate({ sql }: ObjectStorage): void {
  sql.exec('CREATE TABLE IF NOT EXISTS schema_versions (version INTEGER NOT NULL PRIMARY KEY)')
  const [row] = sql.exec('SELECT ifnull(max(version), 0) AS version FROM schema_versions').toArray()
  const version = Number(row?.['version'])
  for (const [index, migration] of missing(version).entries()) {
    sql.exec(migration)
    sql.exec('INSERT INTO schema_versions VALUES (?)', version + index + 1)
  }
}

function missing(version: number): readonly string[] {
  try {
    return missingMigrations(version)
  } catch (cause) {
    throw new Error(`The jobs of this Durable Object can't be used: ${(cause as Error).message}`, { cause })
  }
}

const parameterName = /:([a-z]\w*)/gi

/** A statement that takes its parameters by name too, although `exec` takes them only in order. */
function objectStatement({ sql }: ObjectStorage, text: string): Statement {
  const names = [...text.matchAll(parameterName)].map(([, name = '']) => name)
  const query = text.replaceAll(parameterName, '?')

  function all(...values: Parameter[] | [Record<string, Parameter>]) {
    const [first] = values
    const isNamed = typeof first === 'object' && first !== null
    const bindings = isNamed ? names.map((name) => first[name] ?? null) : (values as Parameter[])
    return sql.exec(query, ...bindings).toArray()
  }

  return {
    all,
    get: (...values: Parameters<typeof all>) => all(...values)[0],
    run(...values) {
      all(...values)
      return {
        get changes() {
          return Number(sql.exec('SELECT changes() AS changes').toArray()[0]?.['changes'])
        },
      }
    },
  }
}
