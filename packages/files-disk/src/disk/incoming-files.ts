import { randomUUID } from 'node:crypto'
import { opendir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

const suffix = '.incoming'
/** How long an incoming file may be silent before it counts as left behind, and how far sweeps are apart. */
export const hourMs = 60 * 60 * 1000

/** A name that no other file has, for a file that is still coming in. */
export function incomingName(): string {
  return `${randomUUID()}${suffix}`
}

/**
 * Deletes what crashed processes have left half-written: incoming files to which nothing was added for an hour. Process
 * ids would tell nothing where containers share the folder. Should a file still be coming in, its `put` fails as a whole.
 */
export async function sweepIncoming(folder: string): Promise<void> {
  for await (const { name } of await opendir(folder)) {
    if (!name.endsWith(suffix)) continue
    const path = join(folder, name)
    // Another process may have swept it already, or own it: nobody's `put` should fail for that.
    await deleteIfOld(path).catch(() => {})
  }
}

async function deleteIfOld(path: string): Promise<void> {
  const { mtimeMs } = await stat(path)
  if (mtimeMs < Date.now() - hourMs) await rm(path)
}
