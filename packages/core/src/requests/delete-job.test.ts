import { callbacks } from '@genmount/core/callbacks'
import { describe, expect, test, vi } from 'vitest'
import { fakeWorld } from '@genmount/testing'
import type { FileStore } from '../contracts/storage/file-store.ts'
import { memoryFileStore } from '../defaults/memory-file-store.ts'

const fox = { owner: 'alice', model: 'fake-image', input: { prompt: 'a fox' } }
const keyed = { ...fox, idempotency: { key: 'k', scope: 'generate' } }
const link = { url: 'https://vendor.example/fox.png' }
const dayMs = 24 * 60 * 60_000
const png = new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 0])

describe('a finished job that its owner deletes', () => {
  test('is removed at once with its files and its row', async () => {
    const files = memoryFileStore()
    const { service, jobs, clock } = fakeWorld({}, { files })
    const { job } = await service.create(fox)
    await clock.advance(1000)
    const key = `${job.id}-0`
    expect(await files.open?.(key)).toBeDefined()
    await service.delete(job.id, 'alice')
    await expect(service.get(job.id, 'alice')).rejects.toMatchObject({ code: 'job_not_found' })
    await expect(service.delete(job.id, 'alice')).rejects.toMatchObject({ code: 'job_not_found' })
    expect(await files.open?.(key)).toBeUndefined()
    expect(await jobs.get(job.id)).toBeUndefined()
  })

  test('keeps its idempotency key for a day, and nothing of its content, so that a late create is not paid for again', async () => {
    const files = memoryFileStore()
    const world = fakeWorld({ behave: () => ({ outputs: [link] }) }, { files })
    const { service, jobs, clock, provider } = world
    const { job } = await service.create({ ...keyed, metadata: { of: 'alice' } })
    await clock.advance(1000)
    await service.delete(job.id, 'alice')
    const refused = { code: 'idempotency_key_reused' }
    for (const late of [service, world.serviceOver()])
      await expect(late.create(keyed)).rejects.toMatchObject(refused)
    const kept = (await jobs.get(job.id))!
    expect(kept).toMatchObject({ input: {}, outputs: [] })
    expect([kept.input, kept.metadata, kept.handle, kept.dueAt]).toEqual(Array(4).fill(undefined))
    expect((await service.list({ owner: 'alice' })).jobs).toEqual([])
    await clock.advance(dayMs - 120_000)
    await expect(service.create(keyed)).rejects.toMatchObject(refused)
    expect(provider.ledger).toHaveLength(1)
    await clock.advance(240_000)
    expect(await jobs.get(job.id)).toBeUndefined()
    expect(await service.create(keyed)).toMatchObject({ replayed: false })
  })

  test('stays in the ledger of costs', async () => {
    const { service, jobs, create, jobAfter } = fakeWorld({ behave: [{ costUsd: 0.4 }] })
    const { id } = await create()
    await jobAfter(1000, id)
    await service.delete(id, 'alice')
    const all = { owner: 'alice', from: 0, to: Number.MAX_SAFE_INTEGER, limit: 10 }
    expect(await jobs.costs?.(all)).toMatchObject([{ job: id, costUsd: 0.4 }])
  })

  test('is hidden at once while the file store is away, and its files and its row are deleted when it is back', async () => {
    const files = memoryFileStore()
    let isAway = false
    const deleting: FileStore['delete'] = (key) =>
      isAway ? Promise.reject(new Error('away')) : files.delete(key)
    const { service, jobs, clock } = fakeWorld({}, { files: { ...files, delete: deleting } })
    const { job } = await service.create(keyed)
    await clock.advance(1000)
    isAway = true
    await service.delete(job.id, 'alice')
    await expect(service.get(job.id, 'alice')).rejects.toMatchObject({ code: 'job_not_found' })
    await expect(service.create(keyed)).rejects.toMatchObject({ code: 'idempotency_key_reused' })
    expect((await jobs.get(job.id))?.outputs).toHaveLength(1)
    isAway = false
    await clock.advance(120_000)
    expect((await jobs.get(job.id))?.outputs).toEqual([])
    expect(await files.open?.(`${job.id}-0`)).toBeUndefined()
  })

  test('is answered within 2 seconds while the file store hangs', async () => {
    const files = { ...memoryFileStore(), delete: () => new Promise<never>(() => {}) }
    const { service, clock, create, jobAfter } = fakeWorld({}, { files })
    const { id } = await create()
    await jobAfter(1000, id)
    let isDone = false
    const deleted = service.delete(id, 'alice').then(() => (isDone = true))
    await clock.advance(2000)
    expect(isDone).toBe(true)
    await deleted
    await expect(service.get(id, 'alice')).rejects.toMatchObject({ code: 'job_not_found' })
  })

  test.each(['here', 'in another process'])(
    'does not reappear, nor its file, when a copy of its output ends later: %s',
    async (where) => {
      const stored = memoryFileStore()
      const arriving = Promise.withResolvers<void>()
      const files: FileStore = {
        ...stored,
        async fetch() {
          await arriving.promise
          return { body: new Response(png).body! }
        },
      }
      const { service, serviceOver, jobs, clock } = fakeWorld({ behave: [{ outputs: [link] }] }, { files })
      const { job } = await service.create(fox)
      await clock.advance(1000)
      expect((await jobs.get(job.id))?.claim?.until).toBeDefined()
      await (where === 'here' ? service : serviceOver()).delete(job.id, 'alice')
      // If the process that copies died now, a sweep would find the copy through the row.
      expect(await jobs.get(job.id)).toBeDefined()
      arriving.resolve()
      await clock.advance(100)
      await expect(service.get(job.id, 'alice')).rejects.toMatchObject({ code: 'job_not_found' })
      await clock.advance(60_000)
      expect(await jobs.get(job.id)).toBeUndefined()
      expect(await stored.open?.(`${job.id}-0`)).toBeUndefined()
    },
  )

  test.each(['soon', 'late'])(
    'does not leave a file behind when a process that was frozen stores the same output later: %s',
    async (when) => {
      const files = memoryFileStore()
      const [polled, storing] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const world = fakeWorld({ behave: [{ delayMs: 5000 }] }, { files })
      const { clock, jobs, provider, start } = world
      let isFrozen = false
      const frozen = start({
        files: {
          ...files,
          async put(...given) {
            if (when === 'late') await storing.promise
            return files.put(...given)
          },
        },
        provider: {
          callTimeoutMs: 3_600_000,
          async poll(task, call) {
            const report = await provider.poll(task, call)
            if (report.state === 'succeeded') isFrozen = true
            if (isFrozen) await polled.promise
            return report
          },
        },
        jobs: {
          // The claim of a frozen process is not renewed.
          replace: (job, revision) =>
            isFrozen && job.phase === 'running'
              ? Promise.reject(new Error('frozen'))
              : jobs.replace(job, revision),
        },
      })
      const { id } = (await frozen.service.create(fox)).job
      await clock.advance(10_000)
      expect(isFrozen).toBe(true)
      const other = start()
      await clock.advance(120_000)
      expect((await jobs.get(id))?.phase).toBe('completed')
      await other.service.delete(id, 'alice')
      polled.resolve()
      await clock.advance(1000)
      storing.resolve()
      await clock.advance(1000)
      expect(await jobs.get(id)).toBeUndefined()
      expect(await files.open?.(`${id}-0`)).toBeUndefined()
    },
  )

  test('does not reappear when its provider calls back later', async () => {
    const world = fakeWorld(
      { behave: [{ answer: 'reset', delayMs: 500 }], sendCallback: () => {} },
      { plugins: [callbacks({ baseUrl: 'https://app.example' })] },
    )
    const { id } = await world.create()
    await vi.waitUntil(() => world.provider.ledger.length > 0, 20_000)
    await world.clock.advance(1000)
    expect(await world.jobAfter(300_000, id)).toMatchObject({ error: { code: 'submit_ambiguous' } })
    await world.service.delete(id, 'alice')
    expect(await world.service.receiveCallback(id, world.provider.callbackFor(id))).toBe(false)
    expect(await world.jobs.get(id)).toBeUndefined()
  })
})

describe('a delete', () => {
  test('of a processing job is refused and changes nothing', async () => {
    const { service, create, jobAfter, jobs } = fakeWorld({ behave: [{ delayMs: 60_000 }] })
    const { id } = await create()
    const running = await jobAfter(1000, id)
    await expect(service.delete(id, 'alice')).rejects.toMatchObject({ code: 'job_processing' })
    expect(await jobs.get(id)).toEqual(running)
    expect((await jobAfter(90_000, id)).phase).toBe('completed')
  })

  test('of an unknown job and of a foreign job is refused in the same words', async () => {
    const { service, create, jobAfter } = fakeWorld()
    const { id } = await create()
    const job = await jobAfter(1000, id)
    const [foreign, unknown] = await Promise.allSettled([
      service.delete(id, 'bob'),
      service.delete('gen_0', 'alice'),
    ])
    expect(foreign).toMatchObject({ status: 'rejected', reason: { code: 'job_not_found' } })
    expect(foreign).toEqual(unknown)
    expect(await service.get(id, 'alice')).toEqual(job)
  })
})
