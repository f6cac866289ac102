import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/**
 * The path of a file that does not exist yet, in a new folder that is deleted after the test.
 * @param onFinished that of the context, in `test.concurrent`
 */
export function temporaryFile(onFinished = onTestFinished): string {
  const folder = mkdtempSync(join(tmpdir(), 'genmount-sqlite-'))
  onFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'jobs.db')
}
