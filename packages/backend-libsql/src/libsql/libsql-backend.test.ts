import { expect, test } from 'vitest'
import { libsqlBackend } from '@genmount/backend-libsql'

test.each([
  ['no client', undefined],
  ['a URL', 'libsql://jobs.example.com'],
  ['an object without batch', {}],
])('%s is refused when the backend is made', (_what, client) => {
  expect(() => libsqlBackend({ client: client as never })).toThrow(TypeError)
  expect(() => libsqlBackend({ client: client as never })).toThrow(
    'client must be a client such as createClient() of @libsql/client',
  )
})

test('a batch that finds the database locked is tried again, and the error of another fault is passed on at once', async () => {
  const faults = ['SQLITE_BUSY', 'SQLITE_BUSY_SNAPSHOT', 'SQLITE_FULL']
  const client = {
    async batch() {
      throw Object.assign(new Error('no'), { code: faults.shift() })
    },
  }
  const { ready } = libsqlBackend({ client })
  await expect(ready!()).rejects.toThrow("The libSQL database can't be used: no.")
  expect(faults).toEqual([])
})
