import { expect, test } from 'vitest'
import { readReference } from './read-reference.ts'

test('every export of every package has TSDoc, and every type that an export names is exported', async () => {
  const { packageNames, warnings } = await readReference()
  expect(packageNames.length).toBeGreaterThan(0)
  expect(warnings).toEqual([])
})
