import type { Job } from '@genmount/client'
import { connect, type ConnectionOptions } from '../connection/connect.ts'
import type { Session } from '../program/session.ts'
import { eachJob } from './each-job.ts'

/** Asks the server to end jobs, and says what has become of each. */
export async function cancel(
  session: Session,
  ids: readonly string[],
  options: ConnectionOptions,
): Promise<void> {
  const { signal, stdout } = session
  const client = connect(session, options)
  const jobs: Job[] = []
  const refusal = await eachJob(ids, async (id) => {
    const job = await client.cancel(id, { signal })
    jobs.push(job)
    if (!options.json) stdout.line(`${job.id} ${stateOf(job)}`)
  })
  if (options.json && jobs.length > 0) stdout.json(jobs, 2)
  if (refusal) throw refusal
}

function stateOf({ status, error }: Job): string {
  if (status === 'processing') return 'is being canceled'
  // A canceled job is one that has failed with this code.
  if (error?.startsWith('canceled:')) return 'is canceled'
  return `is ${status}`
}
