import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { importsOfPackage } from './layers.ts'

const repo = join(import.meta.dirname, '../..')

/** Whether the package may import core, which has these pieces. */
function hasCore(file: string): boolean {
  const name = file.split('/')[1] ?? ''
  return (importsOfPackage[name] ?? importsOfPackage[name.replace(/-.*/, '-*')] ?? []).includes('core')
}

test('base64 is read and written by toBase64 and fromBase64 of core, which do not block the process', () => {
  const own = globSync('packages/*/src/**/*.ts', { cwd: repo }).filter(
    (file) =>
      hasCore(file) &&
      !/\.test\.ts$|\/testing\//.test(file) &&
      /\b(?:atob|btoa)\(/.test(readFileSync(join(repo, file), 'utf8')),
  )
  // A cursor is a short text, and no bytes.
  expect(own).toEqual(['packages/v1-interface/src/wire/list-cursor.ts'])
})
