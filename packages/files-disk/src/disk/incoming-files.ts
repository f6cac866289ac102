import { randomUUID } from 'node:crypto'
import { opendir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

const suffix = '.incoming'
/**
 * One hour in milliseconds. An incoming file to which nothing was added for this long counts as abandoned,
 * and this is also the time between two sweeps.
 */
export const hourMs = 60 * 60 * 1000

/** A unique name for a file that is still being received. */
export function incomingName(): string {
  return `${randomUUID()}${suffix}`
}

/**
 * Deletes the incomplete files of crashed processes: incoming files to which nothing was added for an hour.
 * Process ids in their names would not help, because they mean nothing between containers that share the
 * folder. If such a file is still being received after all, its `put` fails as a whole.
 */
export async function sweepIncoming(folder: string): Promise<void> {
  for await (const { name } of await opendir(folder)) {
    if (!name.endsWith(suffix)) continue
    const path = join(folder, name)
    // Another process may have deleted the file already, or it belongs to another user. The `put` that runs
    // this sweep must not fail because of that.
    await deleteIfOld(path).catch(() => {})
  }
}

async function deleteIfOld(path: string): Promise<void> {
  const { mtimeMs } = await stat(path)
  if (mtimeMs < Date.now() - hourMs) await rm(path)
}
