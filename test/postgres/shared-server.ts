import { createServer } from 'node:http'
import { originOf, stopped } from '../loopback.ts'
import { type StartedPostgres, startPostgres } from './start-postgres.ts'

/** The variable with the address at which the workers of a run ask for their server. */
export const askAt = 'GENMOUNT_TEST_POSTGRES'

/**
 * Lets all test files of a run share one Postgres server. It starts when the first of them asks for it, so a run without
 * such a file starts none.
 */
export default async function offerPostgres(): Promise<() => Promise<void>> {
  let started: Promise<StartedPostgres> | undefined
  const door = createServer((_request, response) => {
    started ??= startPostgres()
    started.then(
      ({ url }) => response.end(url('postgres')),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve))
  process.env[askAt] = originOf(door)
  return async () => {
    await stopped(door)
    await (await started)?.stop()
  }
}
