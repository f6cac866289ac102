import { callbacks } from '@genmount/core/callbacks'
import { expect, test } from 'vitest'
import { createGenerationService, memoryBackend } from '@genmount/core'
import { usage } from '@genmount/core/usage'
import { fakeProvider, fakeWorld, manualClock, quietLog } from '@genmount/testing'

test('the costs of an owner can be read after the jobs are deleted, and not by another owner', async () => {
  const { service, clock, create } = fakeWorld(
    { behave: [{ costUsd: 0.25 }] },
    { plugins: [usage()], retentionDays: 1 },
  )
  const from = clock.now()
  const ids = [await create(), await create(), await create()]
  await clock.advance(1000)
  await clock.advance(25 * 3_600_000)
  const to = clock.now()
  const { entries, next } = await service.costs({ owner: 'alice', from, to })
  expect(entries.map(({ costUsd, model, provider, outcome }) => [costUsd, model, provider, outcome])).toEqual(
    ids.map(() => [0.25, 'fake-image', 'fake', 'completed']),
  )
  expect(next).toBeUndefined()
  expect(JSON.stringify(entries)).not.toContain('a fox')
  expect(await service.costs({ owner: 'bob', from, to })).toEqual({ entries: [] })
  await service.close()
})

test('all pages together have each job once', async () => {
  const { service, clock, create } = fakeWorld({}, { plugins: [usage()] })
  const ids: string[] = []
  for (let index = 0; index < 7; index++) ids.push((await create()).id)
  await clock.advance(1000)
  const read: string[] = []
  let after
  do {
    const page = await service.costs({ owner: 'alice', from: 0, to: clock.now() + 1, after, limit: 3 })
    read.push(...page.entries.map(({ job }) => job))
    after = page.next
  } while (after)
  expect(read.toSorted()).toEqual(ids.toSorted())
  await service.close()
})

test('a job that continues after submit_ambiguous counts once, with its last end', async () => {
  const { service, clock, provider, create } = fakeWorld(
    { behave: [{ answer: 'reset', delayMs: 1000, costUsd: 0.5 }], sendCallback: () => {} },
    { plugins: [usage(), callbacks({ baseUrl: 'https://app.example' })] },
  )
  const { id } = await create()
  await clock.advance(10 * 60_000)
  const costs = async () => (await service.costs({ owner: 'alice', from: 0, to: clock.now() + 1 })).entries
  expect(await costs()).toEqual([expect.not.objectContaining({ costUsd: expect.anything() })])
  await service.receiveCallback(id, provider.callbackFor(id))
  await clock.advance(60_000)
  expect(await costs()).toEqual([expect.objectContaining({ job: id, outcome: 'completed', costUsd: 0.5 })])
  await service.close()
})

test('a wrong request for costs names the field', async () => {
  const { service } = fakeWorld({}, { plugins: [usage()] })
  const request = { owner: 'alice', from: 0, to: 1 }
  await expect(service.costs({ ...request, limit: 1001 })).rejects.toThrow('limit must be')
  await expect(service.costs({ ...request, from: Number.NaN })).rejects.toThrow('from must be')
  await expect(service.costs({ ...request, after: {} as never })).rejects.toThrow('after must be')
  const half = { job: 'gen_1', endedAt: 1.5 }
  await expect(service.costs({ ...request, after: half })).rejects.toThrow('after must be')
  await service.close()
})

test('the memory backend keeps the costs of as many jobs as it has capacity for', async () => {
  const clock = manualClock()
  const backend = memoryBackend({ clock, maxJobs: 5 })
  const own = createGenerationService({
    providers: [fakeProvider({ clock })],
    clock,
    backend,
    plugins: [usage()],
    log: quietLog(),
  })
  for (let index = 0; index < 12; index++) {
    await own.create({ owner: 'alice', model: 'fake-image', input: { prompt: 'a fox' } })
    await clock.advance(100)
  }
  expect((await own.costs({ owner: 'alice', from: 0, to: clock.now() + 1 })).entries).toHaveLength(5)
  await own.close()
})
