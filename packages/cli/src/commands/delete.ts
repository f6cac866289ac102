import { connect, type ConnectionOptions } from '../connection/connect.ts'
import type { Session } from '../program/session.ts'
import { eachJob } from './each-job.ts'

/** Deletes finished jobs and their files. */
export async function deleteJobs(
  session: Session,
  ids: readonly string[],
  options: ConnectionOptions,
): Promise<void> {
  const { signal, stdout } = session
  const client = connect(session, options)
  const deleted: string[] = []
  const refusal = await eachJob(ids, async (id) => {
    await client.delete(id, { signal })
    deleted.push(id)
    if (!options.json) stdout.line(`${id} is deleted`)
  })
  if (options.json && deleted.length > 0) stdout.json({ deleted }, 2)
  if (refusal) throw refusal
}
