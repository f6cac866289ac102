import { type D1, d1Backend } from '@genmount/backend-cloudflare/d1'
import { suitesOfBackend } from '../conformance/suites-of-backend.ts'

const tables = ['jobs', 'tasks', 'inputs', 'costs', 'daily_usage', 'grants', 'uploads', 'audit']

/** Runs the case of a suite that the query names, on an empty database. Answers `holds` or what is wrong. */
export default {
  async fetch(request: Request, { JOBS, EMPTY }: { JOBS: D1; EMPTY: D1 }): Promise<Response> {
    const suites = suitesOfBackend(
      async (clock) => {
        await JOBS.batch(tables.map((table) => JOBS.prepare(`DELETE FROM ${table}`)))
        return d1Backend({ database: JOBS, clock })
      },
      () => d1Backend({ database: EMPTY }),
    )
    const { searchParams } = new URL(request.url)
    const run = suites[searchParams.get('part') ?? '']?.[searchParams.get('case') ?? '']
    const verdict = await run?.().then(
      () => 'holds',
      (error: unknown) => (error instanceof Error ? `${error.stack}` : String(error)),
    )
    return new Response(verdict ?? 'there is no such case')
  },
}
