import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { linesOfFailure } from '../../examples/standalone-server.ts'

const put = (path: string, text: string) => (writeFileSync(path, text), path)

/** What a DATA_DIR is that the server refuses, and how it is made in an empty folder. */
type Refusals = Readonly<Record<string, (folder: string) => string>>

/** The refusals in `npm test`, of which each has a reason of its own. */
export const briefRefusals: Refusals = {
  'is a file': (folder) => put(join(folder, 'data'), ''),
  'contains a jobs.db of another kind': (folder) => (
    put(join(folder, 'jobs.db'), 'no database at all'.repeat(100)),
    folder
  ),
  'contains a link secret that can be guessed': (folder) => (put(join(folder, 'link-secret'), 'me'), folder),
}

export const otherRefusals: Refusals = {
  'contains a file with the name of the folder for outputs': (folder) => (
    put(join(folder, 'outputs'), ''),
    folder
  ),
  'is a folder within a file': (folder) => join(put(join(folder, 'file'), ''), 'data'),
  'contains a folder with the name of the database': (folder) => (mkdirSync(join(folder, 'jobs.db')), folder),
}

/** Expects that the server does not start with this DATA_DIR, and names the folder in one line. */
export async function expectRefusal(folder: string): Promise<void> {
  expect(await linesOfFailure({ DATA_DIR: folder })).toEqual([
    expect.stringMatching(`^(DATA_DIR can't be used|The (backend|file store) is not ready): .*${folder}`),
  ])
}
