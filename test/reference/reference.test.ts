import { expect, test } from 'vitest'
import { readReference } from './read-reference.ts'

test('every export of a listed package is documented, and so is every type that it names', async () => {
  const { packageNames, warnings } = await readReference()
  expect(packageNames.length).toBeGreaterThan(0)
  expect(warnings).toEqual([])
})
