import { moderation } from '@genmount/core/moderation'
import { expect, test, vi } from 'vitest'
import { uploads } from '@genmount/core/uploads'
import { memoryFileStore } from '@genmount/core'
import { fakeFile, fakeWorld } from '@genmount/testing'
import * as v from 'valibot'
import { memoryInUse } from '../../../../test/memory/memory-in-use.ts'

const mebibyte = 1024 * 1024
/** A schema that reads the whole text. */
const image = v.pipe(v.string(), v.regex(/^data:image\/png;base64,[A-Za-z0-9+/]*=*$/))
const models = [{ id: 'strict', outputKind: 'image', input: v.looseObject({ image }) }] as const

test('creates that wait for admit do not hold the bytes of their uploads in memory', async () => {
  let waiting = 0
  let decide = () => {}
  const decided = new Promise<void>((resolve) => (decide = resolve))
  const { service } = fakeWorld(
    { models },
    {
      files: memoryFileStore(),
      plugins: [uploads(), moderation({ input: async () => (waiting++, await decided, { refused: 'no' }) })],
    },
  )
  const bytes = new Uint8Array(15 * mebibyte)
  bytes.set(fakeFile('image').bytes)
  const { url } = await service.uploads!.store('alice', new Blob([bytes]).stream())
  const before = memoryInUse().heapUsed
  const creates = Array.from({ length: 20 }, () =>
    service.create({ owner: 'alice', model: 'strict', input: { image: url } }).catch(() => {}),
  )
  await vi.waitFor(() => expect(waiting).toBe(20), 20_000)
  expect(memoryInUse().heapUsed - before).toBeLessThan(60 * mebibyte)
  decide()
  await Promise.all(creates)
  await service.close()
})
