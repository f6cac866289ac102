import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll } from 'vitest'
import { repo } from '../processes/repo.ts'

/**
 * A folder of a reader who has installed everything. Call this outside of tests: the folder is deleted after the file's tests.
 * @param files the contents of its files by their paths: texts, and objects that become JSON
 */
export function readerFolder(files: Readonly<Record<string, string | object>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'genmount-reader-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  symlinkSync(join(repo, 'node_modules'), join(folder, 'node_modules'))
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content))
  }
  return folder
}
