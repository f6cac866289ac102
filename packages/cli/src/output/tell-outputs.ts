import { readFile } from 'node:fs/promises'
import type { Job } from '@genmount/client'
import type { Session } from '../program/session.ts'
import { showPicture } from '../terminal/show-picture.ts'
import type { SavedFile } from './save-outputs.ts'

/**
 * Prints the names of the files, one per line and nothing else, so that other programs can read them. If the terminal
 * can show pictures, it shows them first.
 * @param shows whether pictures may be shown
 */
export async function tellOutputs(
  session: Session,
  job: Job,
  saved: readonly SavedFile[],
  shows: boolean,
): Promise<void> {
  const { stdout, isJson } = session
  const files = saved.map(({ path }) => path)
  if (isJson) {
    stdout.json({ ...job, files }, 2)
    return
  }
  for (const { path, mediaType } of saved) {
    const picture =
      shows && mediaType.startsWith('image/')
        ? await showPicture(stdout.stream, session.env, await readFile(path))
        : ''
    // As it is, because it is the user's own text, by which another program finds the file.
    stdout.stream.write(`${picture}${path}\n`)
  }
}
