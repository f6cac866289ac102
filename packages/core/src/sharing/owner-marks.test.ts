import { fakeFile, fakeWorld } from '@genmount/testing'
import { expect, test } from 'vitest'
import type { FileFetch } from '../contracts/storage/file-store.ts'
import type { Provider } from '../contracts/provider.ts'
import type { ProviderTask } from '../contracts/provider-task.ts'
import { memoryFileStore } from '../defaults/memory-file-store.ts'
import { ownerMarks } from './owner-marks.ts'

test('providers and file stores see one pseudonym for each owner, and never the owner’s name', async () => {
  const { clock, provider, serviceOver } = fakeWorld()
  const tasks: ProviderTask[] = []
  const fetched: (string | undefined)[] = []
  const submit: Provider['submit'] = (task, call) => (tasks.push(task), provider.submit(task, call))
  const poll: Provider['poll'] = async (task) => {
    tasks.push(task)
    return { state: 'succeeded', outputs: [{ url: 'https://vendor.test/a.png' }] }
  }
  const fetch: FileFetch = async (_url, { owner }) => {
    fetched.push(owner)
    return { body: new Response(fakeFile('image').bytes).body! }
  }
  const service = serviceOver({ provider: { submit, poll }, files: { ...memoryFileStore(), fetch } })
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
  await service.close()
})

test('pseudonyms of owners that have not been seen for long are dropped, so that many owners take little memory', () => {
  const markOf = ownerMarks(2)
  const [a, b] = [markOf('a'), markOf('b')]
  expect(markOf('a')).toBe(a)
  markOf('c')
  expect(markOf('a')).toBe(a)
  expect(markOf('b')).not.toBe(b)
})
