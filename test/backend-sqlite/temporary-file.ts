import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** The path of a file that does not exist yet, in a new folder that is deleted after the test. */
export function temporaryFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'genmount-sqlite-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'jobs.db')
}
