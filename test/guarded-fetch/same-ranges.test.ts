import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const packages = join(import.meta.dirname, '../../packages')

/** All address ranges that a file names. */
const rangesIn = (file: string) =>
  [...readFileSync(join(packages, file), 'utf8').matchAll(/'([\da-f.:]+\/\d+)'/g)]
    .map(([, range]) => range)
    .toSorted()

// Both packages need the list: core runs on hosts without node:net, and guarded-fetch does not depend on core.
test('core and guarded-fetch take the same addresses for private', () => {
  const ranges = rangesIn('core/src/addresses/is-private-host.ts')
  expect(ranges.length).toBeGreaterThan(20)
  expect(rangesIn('guarded-fetch/src/rules/address-rules.ts')).toEqual(ranges)
})
