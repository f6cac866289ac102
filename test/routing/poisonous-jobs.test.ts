import { expect, test } from 'vitest'
import { exampleJob } from '@genmount/testing'
import { routedWorld } from './routed-world.ts'

/** Three jobs that crash each process that polls them, and a hundred others, all paid for at the same provider. */
const ids = Array.from({ length: 103 }, (_, i) => (i < 3 ? `poison-${i}` : `well-${i}`))

const isPoison = (id: string) => id.startsWith('poison')

test('three jobs that crash each process that polls them fail after five crashes each at most, and a hundred jobs of the same provider complete', async () => {
  const world = routedWorld({ vendor: {} })
  const { clock } = world
  const createdAt = Math.floor(clock.now())
  for (const id of ids) {
    const instants = { createdAt, dueAt: createdAt, earliestAt: createdAt, deadlineAt: createdAt + 3_600_000 }
    await world.jobs.insert(
      exampleJob({ id, model: 'vendor', route: 'vendor/fake-image', phase: 'running', ...instants }),
    )
  }
  let crashes = 0
  function startNext(): void {
    let hasCrashed = false
    const process = world.start(undefined, (provider) => ({
      ...provider,
      async poll({ jobId }) {
        await new Promise<void>((resolve) => clock.after(isPoison(jobId) ? 250 : 500, resolve))
        if (!isPoison(jobId)) return { state: 'succeeded', outputs: [{ url: 'https://cdn.test/1.png' }] }
        if (!hasCrashed) {
          hasCrashed = true
          crashes++
          process.kill()
          clock.after(31_000, startNext)
        }
        return new Promise(() => {})
      },
    }))
  }
  startNext()
  await clock.advance(20 * 60_000)
  const jobs = await Promise.all(ids.map(world.job))
  for (const { id, phase, error } of jobs)
    expect([id, phase, error?.code]).toEqual(
      isPoison(id) ? [id, 'failed', 'service_failed'] : [id, 'completed', undefined],
    )
  expect(crashes).toBeLessThanOrEqual(15)
  await world.close()
})
