import { connect, type ConnectionOptions } from '../connection/connect.ts'
import type { Session } from '../program/session.ts'

/** Asks the server to end jobs. */
export async function cancel(
  session: Session,
  ids: readonly string[],
  options: ConnectionOptions,
): Promise<void> {
  const { signal, stdout } = session
  const client = connect(session, options)
  const jobs = []
  for (const id of ids) {
    const job = await client.cancel(id, { signal })
    jobs.push(job)
    const state = job.status === 'processing' ? 'is being canceled' : `is ${job.status}`
    if (!options.json) stdout.line(`${job.id} ${state}`)
  }
  if (options.json) stdout.json(jobs, 2)
}
