import { connect, type ConnectionOptions } from '../connection/connect.ts'
import type { Session } from '../program/session.ts'

/** Deletes finished jobs and their files. */
export async function deleteJobs(
  session: Session,
  ids: readonly string[],
  options: ConnectionOptions,
): Promise<void> {
  const { signal, stdout } = session
  const client = connect(session, options)
  for (const id of ids) {
    await client.delete(id, { signal })
    if (!options.json) stdout.line(`${id} is deleted`)
  }
  if (options.json) stdout.json({ deleted: ids }, 2)
}
