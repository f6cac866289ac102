import { fakeProvider, manualClock } from '@genmount/testing'
import { afterEach, expect, test } from 'vitest'
import type { ProviderTask } from '../contracts/provider.ts'
import { memoryFileStore } from '../defaults/memory-file-store.ts'
import { createGenerationService } from '../service/create-generation-service.ts'
import { ownerMarks } from './owner-marks.ts'

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const service of open.splice(0)) await service.close()
})

test('providers and file stores see the same mark for all jobs of an owner, another one for each owner, and no name', async () => {
  const clock = manualClock()
  const tasks: ProviderTask[] = []
  const fetched: (string | undefined)[] = []
  const fake = fakeProvider({ clock })
  const provider = {
    ...fake,
    submit: (...[task, call]: Parameters<typeof fake.submit>) => (tasks.push(task), fake.submit(task, call)),
    async poll(...[task]: Parameters<typeof fake.poll>) {
      tasks.push(task)
      return { state: 'succeeded', outputs: [{ url: 'https://vendor.test/a.png' }] } as const
    },
  }
  const fetch: NonNullable<ReturnType<typeof memoryFileStore>['fetch']> = async (_url, { owner }) => {
    fetched.push(owner)
    return { body: new Response('a picture').body! }
  }
  const files = { ...memoryFileStore(), fetch }
  const log = { warn: () => {}, error: () => {} }
  const service = createGenerationService({ providers: [provider], files, clock, log })
  open.push(service)
  for (const owner of ['alice@example.org', 'bob', 'alice@example.org'])
    await service.create({ owner, model: 'fake-image', input: { prompt: 'a kite', delay_ms: 1000 } })
  await clock.advance(60_000)
  const [alices, bobs, again] = tasks.map(({ owner }) => owner)
  expect(alices).toBeTypeOf('string')
  expect(again).toBe(alices)
  expect(bobs).not.toBe(alices)
  expect(tasks.length).toBeGreaterThanOrEqual(6)
  expect(new Set(tasks.map(({ owner }) => owner))).toEqual(new Set([alices, bobs]))
  expect(fetched.toSorted()).toEqual([alices, alices, bobs].toSorted())
  expect(JSON.stringify([tasks, fetched])).not.toMatch(/alice|bob/)
})

test('marks of owners that have not been there for long are forgotten, so that any number of owners takes little memory', () => {
  const markOf = ownerMarks(2)
  const [a, b] = [markOf('a'), markOf('b')]
  expect(markOf('a')).toBe(a)
  markOf('c')
  expect(markOf('a')).toBe(a)
  expect(markOf('b')).not.toBe(b)
})
