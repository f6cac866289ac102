import { memoryFileStore, type FileStore } from '@genmount/core'
import { expect, test } from 'vitest'
import { until } from '../until.ts'
import { noise, variantsWorld } from './variants-world.ts'

const png = await noise(300, 200).png().toBuffer()

test('a deleted job takes its variants with it, also one that keeps its idempotency key', async () => {
  const { ask, finished, create, clock, service, kept } = variantsWorld(png)
  const [plain, keyed] = [
    await finished(),
    await create({}, { idempotency: { key: 'k', scope: 'generate' } }),
  ]
  await clock.advance(5000)
  for (const { id } of [plain, keyed])
    for (const format of ['webp', 'avif']) await ask(`/v1/files/${id}?width=64&format=${format}`)
  expect(await kept()).toHaveLength(4)
  for (const { id } of [plain, keyed]) await service.delete(id, 'alice')
  expect(await kept()).toEqual([])
})

test('an expired job takes its variants with it', async () => {
  const { ask, finished, clock, kept, jobs } = variantsWorld(png, { retentionDays: 1 })
  const { id } = await finished()
  await ask(`/v1/files/${id}?width=64`)
  await clock.advance(25 * 60 * 60_000)
  expect(await kept()).toEqual([])
  expect(await jobs.get(id)).toBeUndefined()
})

test('while variants can not be deleted the output is, and the variants follow when they can', async () => {
  const store = memoryFileStore()
  let isAway = true
  const files: FileStore = {
    ...store,
    delete: (key) =>
      isAway && key.startsWith('variants/') ? Promise.reject(new Error('away')) : store.delete(key),
  }
  const { ask, finished, clock, service, kept, jobs } = variantsWorld(png, { files })
  const { id } = await finished()
  await ask(`/v1/files/${id}?width=64`)
  await service.delete(id, 'alice')
  expect(await store.open?.(`${id}-0`)).toBeUndefined()
  expect(await jobs.get(id)).toBeDefined()
  isAway = false
  await clock.advance(120_000)
  expect(await kept()).toEqual([])
  expect(await jobs.get(id)).toBeUndefined()
})

/** A store in which each variant waits before it is stored. */
function slowVariants() {
  const store = memoryFileStore()
  const arrived = Promise.withResolvers<void>()
  const mayGoOn = Promise.withResolvers<void>()
  const files: FileStore = {
    ...store,
    async put(key, ...rest) {
      if (key.startsWith('variants/')) {
        arrived.resolve()
        await mayGoOn.promise
      }
      return store.put(key, ...rest)
    },
  }
  return { store, files, arrived: arrived.promise, goOn: mayGoOn.resolve }
}

test('a variant that is stored while its job is being deleted is deleted too, and is not delivered', async () => {
  const { files, arrived, goOn } = slowVariants()
  const { ask, finished, service, kept } = variantsWorld(png, { files })
  const { id } = await finished()
  const asked = ask(`/v1/files/${id}?width=64`)
  await arrived
  await service.delete(id, 'alice')
  goOn()
  expect(await asked).toMatchObject({ status: 404, error: { code: 'job_not_found' } })
  expect(await kept()).toEqual([])
})

test('a variant that a process has stored just before it died, of a job that was deleted meanwhile, goes at the next start', async () => {
  const { store, files, arrived, goOn } = slowVariants()
  const { ask, finished, service, serviceOver, kept, clock } = variantsWorld(png, {
    // This process stores the variant, and does no more.
    files: { ...files, delete: async (key) => (key.startsWith('variants/') ? undefined : store.delete(key)) },
  })
  const [{ id }, other] = [await finished(), await finished()]
  const asked = ask(`/v1/files/${id}?width=64`)
  await arrived
  await service.delete(id, 'alice')
  goOn()
  await asked
  await ask(`/v1/files/${other.id}?width=64`)
  expect(await kept()).toHaveLength(2)
  serviceOver({ files: store }).start()
  await clock.advance(1000)
  await until(async () => (await kept()).length === 1)
  expect((await ask(`/v1/files/${other.id}?width=64`)).status).toBe(200)
})
