import { uploads } from '@genmount/core/uploads'
import { expect, test, vi } from 'vitest'
import { memoryFileStore } from '@genmount/core'
import { dataUri, picture, uploadWorld } from '../test-kit/upload-world.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

test('an upload outlives a clock that is 8 days ahead for most of an hour, also in a process that starts meanwhile, and expires at its own time', async () => {
  const files = memoryFileStore()
  const { clock, upload, service, serviceOver, create, inputs } = uploadWorld({ files })
  service.start()
  await clock.advance(2 * hourMs)
  const { url, expiresAt } = await upload()
  const kept = async () => {
    const keys: string[] = []
    for await (const key of files.list?.('uploads/') ?? []) keys.push(key)
    return keys.length
  }
  clock.set(clock.now() + 8 * dayMs)
  const other = serviceOver({ files, plugins: [uploads()] })
  other.start()
  await clock.advance(50 * minuteMs)
  expect(await kept()).toBe(1)
  clock.set(clock.now() - 8 * dayMs)
  await create({ picture: url })
  await vi.waitFor(() => expect(inputs.submits).toHaveLength(1), 20_000)
  expect(inputs.submits).toEqual([{ prompt: 'a', picture: dataUri(picture, 'image/png') }])
  await clock.advance(expiresAt - clock.now() - minuteMs)
  expect(await kept()).toBe(1)
  await clock.advance(12 * minuteMs)
  await vi.waitFor(async () => expect(await kept()).toBe(0), 20_000)
  await other.close()
  await service.close()
})
