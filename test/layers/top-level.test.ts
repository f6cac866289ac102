import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

test('the top level holds nothing but what everybody looks for there', () => {
  const names = readdirSync(join(import.meta.dirname, '../..'))
  const shown = names.filter((name) => !name.startsWith('.') && name !== 'node_modules')
  const expected = ['packages', 'examples', 'test', 'package.json', 'package-lock.json', 'tsconfig.json']
  expect(shown.toSorted()).toEqual([...expected, 'README.md', 'LICENSE'].toSorted())
})
