import { afterEach, expect, test } from 'vitest'
import { fakeProvider, manualClock } from '@genmount/testing'
import { createGenerationService } from './create-generation-service.ts'

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const service of open.splice(0)) await service.close()
})

test('behind ten long jobs of one owner before a provider that takes one at a time, the job of another comes second', async () => {
  const clock = manualClock()
  const made: string[] = []
  const fake = fakeProvider({ clock })
  const provider = {
    ...fake,
    maxConcurrentCalls: 1,
    async submit(...[task, call]: Parameters<typeof fake.submit>) {
      made.push(String(task.input['prompt']))
      await new Promise<void>((resolve) => void clock.after(30_000, resolve))
      return fake.submit(task, call)
    },
  }
  const log = { warn: () => {}, error: () => {} }
  const service = createGenerationService({ providers: [provider], clock, log })
  open.push(service)
  const create = (owner: string, prompt: string) =>
    service.create({ owner, model: 'fake-image', input: { prompt } })
  for (let i = 1; i <= 10; i++) await create('alice', `film ${i}`)
  const { job } = await create('bob', 'picture')
  await clock.advance(70_000)
  const bobs = await service.get(job.id, 'bob')
  await clock.advance(600_000)
  expect(made.slice(0, 3)).toEqual(['film 1', 'picture', 'film 2'])
  expect(bobs.phase).toBe('completed')
})
