import { expect, onTestFinished, test } from 'vitest'
import { createGenerationService, memoryBackend } from '@genmount/core'
import { fakeProvider, manualClock, quietLog } from '@genmount/testing'

function setUp() {
  const clock = manualClock()
  const provider = fakeProvider({ clock, dedupesSubmits: true })
  const backend = memoryBackend({ clock })
  const seen = { since: Number.POSITIVE_INFINITY }
  const revisions: number[] = []
  const processes = {
    id: 'this',
    hasEnded: async () => false,
    leftBehind: async () => [],
    seenSince: () => seen.since,
  }
  const jobs = {
    ...backend.jobs,
    replace: (...given: Parameters<typeof backend.jobs.replace>) => {
      if (given[0].phase === 'submitting') revisions.push(given[0].revision)
      return backend.jobs.replace(...given)
    },
  }
  const service = createGenerationService({
    providers: [provider],
    clock,
    backend: { ...backend, jobs, processes },
    log: quietLog(),
  })
  onTestFinished(async () => void (await service.close()))
  const create = () => service.create({ owner: 'alice', model: 'fake-image', input: { prompt: 'a fox' } })
  return { clock, provider, seen, revisions, create }
}

test('a process that others may have taken for dead makes no submit until it has renewed its sign of life', async () => {
  const { clock, provider, seen, create } = setUp()
  await create()
  await clock.advance(5000)
  expect(provider.ledger).toEqual([])
  seen.since = clock.uptime()
  await clock.advance(60_000)
  expect(provider.ledger).toHaveLength(1)
})

test('a process with a recent sign of life submits without another write', async () => {
  const { clock, provider, seen, revisions, create } = setUp()
  seen.since = clock.uptime()
  await create()
  await clock.advance(1)
  expect(revisions).toEqual([])
  expect(provider.ledger).toHaveLength(1)
})
