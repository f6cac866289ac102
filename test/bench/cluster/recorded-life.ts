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

/** Notes what is sent through the connections of a pool. */
export function recorder(pool: pg.Pool) {
  let noted: SentStatement[] | undefined
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...given: unknown[]) => unknown
    client.query = ((statement: SentStatement, ...rest: unknown[]) => {
      noted?.push({ ...statement })
      return query(statement, ...rest)
    }) as typeof client.query
  })
  return {
    /** Records the life of the job that `live` leads, alone on this pool. @param live resolves to the id of the job */
    async record(live: () => Promise<string>): Promise<RecordedLife> {
      noted = []
      const jobId = await live()
      const statements = noted.filter(({ values }) => values?.includes(jobId))
      noted = undefined
      return { jobId, statements }
    },
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
  const shift = now - instantOf(jobId)
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

/** Ids begin with the instant at which they were made. */
function instantOf(jobId: string): number {
  return Number.parseInt(jobId.slice('gen_'.length, 'gen_'.length + 12), 16)
}
