import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')

test('the top level of the repository holds no files and folders beside those of the list in this test', () => {
  const ignored = readFileSync(join(root, '.gitignore'), 'utf8')
    .split('\n')
    .map((line) => line.replaceAll('/', ''))
  const shown = readdirSync(root).filter((name) => !name.startsWith('.') && !ignored.includes(name))
  const expected = ['packages', 'examples', 'test', 'package.json', 'package-lock.json', 'tsconfig.json']
  expect(shown.toSorted()).toEqual([...expected, 'README.md', 'LICENSE'].toSorted())
})
