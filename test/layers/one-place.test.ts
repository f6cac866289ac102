import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { importsOfPackage } from './layers.ts'

const repo = join(import.meta.dirname, '../..')

/** Whether the file is in core, which has these pieces, or in a package that may import it. */
function hasCore(file: string): boolean {
  const name = file.split('/')[1] ?? ''
  if (name === 'core') return true
  return (importsOfPackage[name] ?? importsOfPackage[name.replace(/-.*/, '-*')] ?? []).includes('core')
}

test('packages that may import core read and write base64 by its toBase64 and fromBase64, never by atob and btoa', () => {
  const own = globSync('packages/*/src/**/*.ts', { cwd: repo }).filter(
    (file) =>
      hasCore(file) &&
      !/\.test\.ts$|\/testing\//.test(file) &&
      /\b(?:atob|btoa)\(/.test(readFileSync(join(repo, file), 'utf8')),
  )
  expect(own).toEqual(['packages/core/src/text/base64.ts'])
})
