import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'

const query = 'SELECT count(*) AS count FROM'

/** How many uploads count in what their owners may store. @param database the file, or the URL of a Postgres database */
export async function countedUploads(database: string): Promise<number> {
  if (!database.startsWith('postgres:')) {
    const file = new DatabaseSync(database, { readOnly: true, timeout: 2000 })
    try {
      return Number(file.prepare(`${query} uploads`).get()?.['count'])
    } finally {
      file.close()
    }
  }
  const client = new pg.Client(database)
  await client.connect()
  try {
    const { rows } = await client.query<{ count: string }>(`${query} genmount.uploads`)
    return Number(rows[0]?.count)
  } finally {
    await client.end()
  }
}
