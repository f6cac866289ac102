import { expect, test } from 'vitest'
import { fakeWorld } from '@genmount/testing'
import type { Provider } from '../contracts/provider.ts'

test('behind ten long jobs of one owner before a provider that takes one at a time, the job of another comes second', async () => {
  const { clock, provider, serviceOver } = fakeWorld()
  const made: string[] = []
  const submit: Provider['submit'] = async (task, call) => {
    made.push(String(task.input['prompt']))
    await new Promise<void>((resolve) => void clock.after(30_000, resolve))
    return provider.submit(task, call)
  }
  const service = serviceOver({ provider: { maxConcurrentJobs: 1, submit } })
  const create = (owner: string, prompt: string) =>
    service.create({ owner, model: 'fake-image', input: { prompt } })
  for (let i = 1; i <= 10; i++) await create('alice', `film ${i}`)
  const { job } = await create('bob', 'picture')
  await clock.advance(70_000)
  const bobs = await service.get(job.id, 'bob')
  await clock.advance(600_000)
  expect(made.slice(0, 3)).toEqual(['film 1', 'picture', 'film 2'])
  expect(bobs.phase).toBe('completed')
  await service.close()
})
