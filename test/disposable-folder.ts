import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** An empty folder for `using`, deleted at the end of the block. Node has `mkdtempDisposableSync` only since version 24. */
export function disposableFolder(
  prefix = join(tmpdir(), 'genmount-test-'),
): Disposable & { readonly path: string } {
  const path = mkdtempSync(prefix)
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}
