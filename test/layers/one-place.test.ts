import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { importsOfPackage } from './layers.ts'

const repo = join(import.meta.dirname, '../..')

/** The sources that match, without tests and without the package for tests. */
const sourcesWith = (pattern: RegExp) =>
  globSync('packages/*/src/**/*.{ts,tsx}', { cwd: repo }).filter(
    (file) => !/\.test\.tsx?$|\/testing\//.test(file) && pattern.test(readFileSync(join(repo, file), 'utf8')),
  )

/** Whether the file is in core, which has these pieces, or in a package that may import it. */
function hasCore(file: string): boolean {
  const name = file.split('/')[1] ?? ''
  if (name === 'core') return true
  return (importsOfPackage[name] ?? importsOfPackage[name.replace(/-.*/, '-*')] ?? []).includes('core')
}

test('packages that may import core read and write base64 by its toBase64 and fromBase64, never by atob and btoa', () => {
  expect(sourcesWith(/\b(?:atob|btoa)\(/).filter(hasCore)).toEqual(['packages/core/src/text/base64.ts'])
})

test.each([
  ['ranges of addresses', /'\d+(?:\.\d+){3}\/\d/, 'packages/core/src/addresses/public-address.ts'],
  ['the form of loopback addresses', /\^127|127\\\./, 'packages/core/src/addresses/loopback-host.ts'],
  ['the header Retry-After', /get\('retry-after'\)/, 'packages/client/src/http/retry-after-ms.ts'],
])('of all packages, only one file reads %s', (_rule, pattern, file) => {
  expect(sourcesWith(pattern)).toEqual([file])
})
