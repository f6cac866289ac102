import { postgresBackend } from '@genmount/backend-postgres'
import pg from 'pg'
import { benchProviders, benchService } from '../../bench-service.ts'
import { owner } from '../../workload.ts'
import { type OpenQueue, taskMs } from './queue.ts'

/** A service on Postgres, which stores the task of each job, so that another process can poll it. */
export const open: OpenQueue = async (url, onEnd) => {
  const pool = new pg.Pool({ connectionString: url, max: 10 })
  pool.on('error', () => {})
  const { providers } = benchProviders({
    pollAfterMs: taskMs,
    maxConcurrentJobs: 10_000,
    dedupesSubmits: true,
  })
  const service = benchService({ providers, backend: postgresBackend({ pool }), onJobEnd: onEnd })
  await service.ready()
  service.start()
  return {
    create: (input) => service.create({ owner, model: 'bench-video', input: { ...input } }),
    async stop() {
      await service.close()
      await pool.end()
    },
  }
}
