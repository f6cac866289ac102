import pg from 'pg'

/** Shows how many jobs each node works on, as read from the tables of the library. */
export function spreadOf(databaseUrl: string, names: readonly string[]) {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 })
  // The database may end before this pool does.
  pool.on('error', () => {})
  return {
    /** A bar for each node: one `#` for each unfinished job whose latest step was taken by this node. */
    async line(): Promise<string> {
      const { rows } = await pool.query<{ name: string; jobs: number }>(`
        SELECT processes.name, count(*)::int AS jobs
        FROM genmount.jobs JOIN genmount.processes ON processes.id = split_part(job::json ->> 'claimToken', ':', 1)
        WHERE phase NOT IN ('completed', 'failed') GROUP BY processes.name`)
      const held = new Map(rows.map(({ name, jobs }) => [name, jobs]))
      return names.map((name) => `${name} ${'#'.repeat(held.get(name) ?? 0).padEnd(14)}`).join('  ')
    },
    end: () => pool.end(),
  }
}
