import { createGenerationService, memoryBackend, memoryFileStore } from '@genmount/core'
import { uploads } from '@genmount/core/uploads'
import { fakeProvider, manualClock, quietLog } from '@genmount/testing'
import * as v from 'valibot'
import { expect, test } from 'vitest'

test('a thousand chains of three jobs beside each other are each made in their order, and paid for once', async () => {
  const clock = manualClock()
  const models = [{ id: 'any', outputKind: 'image', input: v.looseObject({ prompt: v.string() }) }] as const
  const provider = fakeProvider({ clock, models, behave: () => ({ delayMs: 20_000 }) })
  const files = memoryFileStore({ maxBytes: 1024 ** 3 })
  const service = createGenerationService({
    providers: [provider],
    backend: memoryBackend({ clock }),
    files,
    plugins: [uploads()],
    clock,
    log: quietLog(),
    maxRunningJobsPerOwner: 1000,
  })
  const create = async (chain: number, step: number, image?: string) => {
    const input = { prompt: `${chain}/${step}`, ...(image && { image: `job://${image}` }) }
    return (await service.create({ owner: `owner ${chain % 10}`, model: 'any', input })).job.id
  }
  const chains: string[][] = []
  for (let chain = 0; chain < 1000; chain++) {
    const ids = [await create(chain, 0)]
    for (const step of [1, 2]) ids.push(await create(chain, step, ids[step - 1]))
    chains.push(ids)
  }
  const finished = async () => {
    const phases = chains.map(
      async ([, , last], chain) => (await service.get(last!, `owner ${chain % 10}`)).phase,
    )
    return (await Promise.all(phases)).filter((phase) => phase === 'completed').length
  }
  for (let minute = 0; minute < 60 && (await finished()) < 1000; minute++) await clock.advance(60_000)
  expect(await finished()).toBe(1000)
  const places = new Map(provider.ledger.map(({ jobId }, place) => [jobId, place]))
  expect(provider.ledger).toHaveLength(3000)
  const isInOrder = (ids: readonly string[]) => {
    const [first = -1, second = -1, third = -1] = ids.map((id) => places.get(id))
    return first < second && second < third
  }
  expect(chains.filter((ids) => !isInOrder(ids))).toEqual([])
  await service.close()
})
