import { expect, test } from 'vitest'
import { sqliteBackend } from '@genmount/backend-sqlite'

test.each([
  ['an empty path', ''],
  ['a database in memory', ':memory:'],
  ['a URI', 'file:jobs.db?mode=memory'],
  ['no path', undefined],
])('%s is refused when the backend is made', (_what, file) => {
  expect(() => sqliteBackend({ file: file as string })).toThrow(TypeError)
  expect(() => sqliteBackend({ file: file as string })).toThrow('file must be the path of a database file')
})

test('sqliteBackend is durable, and creates no file before its first use', async () => {
  const { durable, close } = sqliteBackend({ file: '/there/is/no/such/folder/jobs.db' })
  expect(durable).toBe(true)
  await close()
})
