import type pg from 'pg'

/** A statement as the backend has sent it. */
export interface SentStatement {
  readonly name: string
  readonly text: string
  readonly values: readonly unknown[]
}

/** The statements about one job, in their order. */
export interface RecordedLife {
  readonly jobId: string
  readonly statements: readonly SentStatement[]
}

/**
 * Notes what is sent through the connections of a pool.
 * @returns a function that records the life of the job that `live` leads, alone on this pool, and whose id it resolves to
 */
export function recorder(pool: pg.Pool) {
  let noted: SentStatement[] | undefined
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...given: unknown[]) => unknown
    client.query = ((statement: SentStatement, ...rest: unknown[]) => {
      noted?.push({ ...statement })
      return query(statement, ...rest)
    }) as typeof client.query
  })
  return async (live: () => Promise<string>): Promise<RecordedLife> => {
    const sent: SentStatement[] = (noted = [])
    const jobId = await live()
    noted = undefined
    return { jobId, statements: sent.filter(({ values }) => values?.includes(jobId)) }
  }
}

/**
 * Sends the statements of a recorded life again, for a job of a new id, with rows of the same length.
 * @param schema the schema whose tables they are now to be about
 */
export async function replay(
  pool: pg.Pool,
  { jobId, statements }: RecordedLife,
  schema: string,
): Promise<void> {
  const now = Date.now()
  const random = crypto.randomUUID().replaceAll('-', '')
  const id = `gen_${now.toString(16).padStart(12, '0')}${random}`.slice(0, jobId.length)
  // Ids begin with the instant at which they were made.
  const shift = now - Number.parseInt(jobId.slice(4, 16), 16)
  for (const { name, text, values } of statements) {
    await pool.query({
      name: `${schema}.${name}`,
      text: text.replaceAll('genmount.', `${schema}.`),
      values: values.map((value) =>
        typeof value === 'string'
          ? value.replaceAll(jobId, id)
          : typeof value === 'number' && value > 1e12
            ? value + shift
            : value,
      ),
    })
  }
}
