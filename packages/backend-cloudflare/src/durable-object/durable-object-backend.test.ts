import { expect, test } from 'vitest'
import { durableObjectBackend } from './durable-object-backend.ts'

const words = 'durableObjectBackend: storage must be ctx.storage of a class that is one of new_sqlite_classes'

test('the storage of an object without SQLite is refused when the object is made, with what to do', () => {
  // Cloudflare's storage throws when its property `sql` is read.
  const storage = {
    get sql(): never {
      throw new Error('SQL is not enabled for this Durable Object class.')
    },
  }
  for (const wrong of [storage, {}, undefined])
    expect(() => durableObjectBackend({ storage: wrong as never })).toThrow(words)
})
