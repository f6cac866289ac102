import { limits } from '@genmount/core/limits'
import { moderation } from '@genmount/core/moderation'
import { expect, test } from 'vitest'
import { refused } from '@genmount/testing'
import { type PartScript, spreadWorld } from './spread-world.ts'

/** A minute of the vendor's work, and within the submit. */
const kinds: [string, PartScript][] = [
  ['works for a minute on each', () => ({ delayMs: 60_000 })],
  ['answers each submit with the picture', () => ({})],
]

test.each(kinds)(
  'a job for four pictures of a vendor that %s is one job with four submits, one sum and the order of the submits',
  async (_what, script) => {
    const world = spreadWorld(script)
    const server = world.start()
    const id = await world.createAt(server)
    await world.clock.advance(300_000)
    expect(await world.jobs.get(id)).toMatchObject({ phase: 'completed', costUsd: 0.04, isCostKnown: true })
    expect(await world.delivered(id)).toEqual([0, 1, 2, 3])
    expect([world.submits, world.payments()]).toEqual([
      [0, 1, 2, 3],
      [1, 1, 1, 1],
    ])
  },
)

test('the vendor works on all parts at the same time, and the progress is their mean', async () => {
  const world = spreadWorld((part) => ({
    delayMs: 60_000 + part * 1000,
    news: { progress: part / 4 },
  }))
  const server = world.start()
  const id = await world.createAt(server)
  const seen: (number | undefined)[] = []
  await server.service.watch(id, 'alice', {
    onChange() {},
    onNews: ({ progress }) => void seen.push(progress),
    onEnd() {},
  })
  await world.clock.advance(30_000)
  expect(world.submits).toEqual([0, 1, 2, 3])
  expect(seen.at(-1)).toBe((0 + 0.25 + 0.5 + 0.75) / 4)
})

test.each(kinds)(
  'a part that is refused is submitted after its pause, while the others go on (the vendor %s)',
  async (_what, script) => {
    const world = spreadWorld((part, attempt) =>
      part === 2 && attempt < 3 ? { submit: refused(40_000) } : script(part, attempt),
    )
    const id = await world.createAt(world.start())
    await world.clock.advance(30_000)
    expect(world.submits).toEqual([0, 1, 2])
    await world.clock.advance(300_000)
    expect(await world.delivered(id)).toEqual([0, 1, 2, 3])
    expect(world.submits).toEqual([0, 1, 2, 2, 2, 3])
    expect(await world.jobs.get(id)).toMatchObject({ costUsd: 0.04 })
  },
)

test.each(kinds)(
  'a part whose submit has no answer is not submitted again: the others are delivered, and the cost is unknown (the vendor %s)',
  async (_what, script) => {
    const world = spreadWorld((part, attempt) => (part === 1 ? { answer: 'reset' } : script(part, attempt)))
    const id = await world.createAt(world.start())
    await world.clock.advance(300_000)
    expect(await world.delivered(id)).toEqual([0, 2, 3])
    expect(world.payments()).toEqual([1, 1, 1, 1])
    const job = await world.jobs.get(id)
    expect([job?.costUsd, job?.isCostKnown]).toEqual([0, undefined])
    expect(world.log.warnings.join()).toContain('part 2 of 4')
  },
)

test.each(kinds)(
  'a part that the vendor’s rules refuse costs the job no other part (the vendor %s)',
  async (_what, script) => {
    const world = spreadWorld((part, attempt) => ({
      ...script(part, attempt),
      ...(part === 1 && { failure: { code: 'content_policy', message: 'No foxes.' }, costUsd: 0 }),
    }))
    const id = await world.createAt(world.start())
    await world.clock.advance(300_000)
    expect(await world.delivered(id)).toEqual([0, 2, 3])
    expect(await world.jobs.get(id)).toMatchObject({ phase: 'completed', costUsd: 0.03 })
  },
)

test('a job of which all parts fail fails with the reason of the first, and costs the sum', async () => {
  const world = spreadWorld((part) => ({
    delayMs: 1000,
    failure: { code: 'content_policy', message: `No fox ${part}.` },
    costUsd: 0.005,
  }))
  const id = await world.createAt(world.start())
  await world.clock.advance(300_000)
  const error = { code: 'content_policy', message: 'No fox 0.' }
  expect(await world.jobs.get(id)).toMatchObject({ phase: 'failed', error, costUsd: 0.02 })
})

test('the cancel of a job cancels its running parts, and no further part is submitted', async () => {
  const world = spreadWorld((part) =>
    part === 2 ? { submit: refused(60_000) } : { delayMs: 600_000, costUsd: 0 },
  )
  const server = world.start()
  const id = await world.createAt(server)
  await world.clock.advance(10_000)
  expect(world.submits).toEqual([0, 1, 2])
  await server.service.cancel(id, 'alice')
  await world.clock.advance(600_000)
  expect(await world.jobs.get(id)).toMatchObject({ phase: 'failed', error: { code: 'canceled' }, costUsd: 0 })
  expect([world.submits, world.provider.cancels.length]).toEqual([[0, 1, 2], 2])
})

test('a job that is canceled after some of its pictures were made delivers these, and costs what they cost', async () => {
  const world = spreadWorld((part) => ({ delayMs: part < 2 ? 1000 : 600_000, costUsd: part < 2 ? 0.01 : 0 }))
  const server = world.start()
  const id = await world.createAt(server)
  await world.clock.advance(60_000)
  await server.service.cancel(id, 'alice')
  await world.clock.advance(60_000)
  expect(await world.delivered(id)).toEqual([0, 1])
  expect(await world.jobs.get(id)).toMatchObject({ costUsd: 0.02 })
})

test('a job whose time is over delivers the pictures that were made', async () => {
  const world = spreadWorld(
    (part) => ({ delayMs: part < 2 ? 1000 : 86_400_000 }),
    {},
    { deadlineMs: 600_000 },
  )
  const id = await world.createAt(world.start())
  await world.clock.advance(1_200_000)
  expect(await world.delivered(id)).toEqual([0, 1])
  expect(world.provider.cancels.length).toBeGreaterThanOrEqual(2)
})

test('a service that closes during a submit waits for its answer, and the next service makes the other parts', async () => {
  const world = spreadWorld(() => ({}), { latencyMs: 5000 })
  const first = world.start()
  const id = await world.createAt(first)
  await world.clock.advance(7000)
  expect(world.submits).toEqual([0, 1])
  const closing = first.service.close()
  await world.clock.advance(10_000)
  await closing
  world.start()
  await world.clock.advance(300_000)
  expect(await world.delivered(id)).toEqual([0, 1, 2, 3])
  expect([world.submits, (await world.jobs.get(id))?.costUsd]).toEqual([[0, 1, 2, 3], 0.04])
})

test('a picture that the app refuses fails the job with what it has cost so far, and no part is submitted after it', async () => {
  let looks = 0
  const outputs = () => (++looks === 2 ? ({ refused: 'no foxes' } as const) : 'allowed')
  const world = spreadWorld(() => ({}), {}, { plugins: [moderation({ outputs })] })
  const id = await world.createAt(world.start())
  await world.clock.advance(300_000)
  const error = { code: 'content_policy', message: 'no foxes' }
  expect(await world.jobs.get(id)).toMatchObject({ phase: 'failed', error, costUsd: 0.02 })
  expect(world.submits).toEqual([0, 1])
})

test('a job is accepted only if the price of all its parts fits into the budget', async () => {
  const world = spreadWorld(() => ({}), {}, { plugins: [limits({ spendUsdPerDay: 0.05 })] })
  const server = world.start()
  const id = await world.createAt(server)
  await expect(world.createAt(server, 2)).rejects.toMatchObject({ code: 'insufficient_quota' })
  await world.clock.advance(300_000)
  expect(await world.jobs.get(id)).toMatchObject({ costUsd: 0.04, reservedUsd: 0.04 })
  await world.createAt(server, 1)
})
