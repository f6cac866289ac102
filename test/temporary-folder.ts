import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/**
 * An empty folder, deleted after the test. Call this first, so that what the test starts later ends before the deletion.
 * @param onFinished that of the context, in `test.concurrent`
 */
export function temporaryFolder(onFinished = onTestFinished): string {
  const folder = mkdtempSync(join(tmpdir(), 'genmount-test-'))
  onFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
