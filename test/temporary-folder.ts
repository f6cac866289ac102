import { onTestFinished } from 'vitest'
import { disposableFolder } from './disposable-folder.ts'

/**
 * An empty folder, deleted after the test. Call this first, so that what the test starts later ends before the deletion.
 * @param onFinished that of the context, in `test.concurrent`
 */
export function temporaryFolder(onFinished = onTestFinished): string {
  const folder = disposableFolder()
  onFinished(() => folder[Symbol.dispose]())
  return folder.path
}
