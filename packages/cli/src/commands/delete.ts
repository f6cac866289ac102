import { connect, type ConnectionOptions } from '../connection/connect.ts'
import type { Session } from '../program/session.ts'
import { plainText } from '../terminal/plain-text.ts'

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
    if (!options.json) stdout.write(`${plainText(id)} is deleted\n`)
  }
  if (options.json) stdout.write(`${JSON.stringify({ deleted: ids }, null, 2)}\n`)
}
