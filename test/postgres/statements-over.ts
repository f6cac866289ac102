import type pg from 'pg'
import { sqlOf, statementNames } from '../../packages/backend-postgres/src/postgres/statements.ts'

/**
 * Notes each statement that is sent over the connections of a new pool: one of the backend by its name, another one by its
 * SQL.
 */
export function statementsOver(pool: pg.Pool, schema: string): string[] {
  const names = new Map<string, string>(
    statementNames.map((name) => [sqlOf(name, schema).trim().replaceAll(/\s+/g, ' '), name]),
  )
  const sent: string[] = []
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown
    Object.assign(client, {
      query(statement: string | { readonly text: string }, ...rest: unknown[]) {
        const text = typeof statement === 'string' ? statement : statement.text
        sent.push(names.get(text) ?? text)
        return query(statement, ...rest)
      },
    })
  })
  return sent
}
