import { expect, test } from 'vitest'
import { fakeWorld } from '@genmount/testing'
import type { Provider } from '../contracts/provider.ts'
import type { GenerationService } from './generation-service.ts'

test('at a provider that takes one job at a time, the job of another owner comes second, before ten jobs of the first owner', async () => {
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

/** A provider that takes one job at a time, each for 30 seconds. */
function oneAtATime() {
  const { clock, provider, serviceOver, start } = fakeWorld()
  const made: string[] = []
  const submit: Provider['submit'] = async (task, call) => {
    made.push(String(task.input['prompt']))
    await new Promise<void>((resolve) => void clock.after(jobMs, resolve))
    return provider.submit(task, call)
  }
  const changes = { provider: { maxConcurrentJobs: 1, submit } }
  return { clock, made, serviceOver: () => serviceOver(changes), start: () => start(changes) }
}

const jobMs = 30_000

async function flood(service: GenerationService): Promise<void> {
  for (let i = 1; i <= 1000; i++)
    await service.create({ owner: 'alice', model: 'fake-image', input: { prompt: `film ${i}` } })
}

test('a thousand jobs of one owner delay the first job of another by less than the time of one job', async () => {
  const { clock, made, serviceOver } = oneAtATime()
  const service = serviceOver()
  await flood(service)
  await clock.advance(10 * jobMs + jobMs / 2)
  const begun = made.length
  const { job } = await service.create({ owner: 'bob', model: 'fake-image', input: { prompt: 'picture' } })
  await clock.advance(jobMs)
  expect(made.indexOf('picture')).toBe(begun)
  await clock.advance(jobMs)
  const { startedAt = 0, phase } = await service.get(job.id, 'bob')
  expect(phase).toBe('completed')
  expect(startedAt - job.createdAt).toBeLessThan(jobMs)
})

test('a thousand jobs of one owner that a new process finds in the store do not delay the first job of another owner', async () => {
  const { clock, made, start } = oneAtATime()
  const first = start()
  await flood(first.service)
  const { job } = await first.service.create({
    owner: 'bob',
    model: 'fake-image',
    input: { prompt: 'picture' },
  })
  first.die()
  made.length = 0
  const { service } = start()
  await clock.advance(3 * jobMs)
  expect(made.indexOf('picture')).toBeLessThanOrEqual(1)
  await clock.advance(jobMs)
  expect((await service.get(job.id, 'bob')).phase).toBe('completed')
})
