import { describe, expect, test } from 'vitest'
import { fakeModels, type FakeProviderOptions, fakeWorld } from '@genmount/testing'

const callTimeoutMs = 300_000
/** A vendor that makes the picture in the call itself. */
const slow = { latencyMs: 200_000, behave: [{}] } as const

function priced(usd: number | undefined) {
  return fakeModels.map((model) => ({
    ...model,
    ...(usd !== undefined && { price: { text: `${usd} USD per image`, per: 'image', usd } }),
  }))
}

/** A service that closes 10 s after it was asked for two pictures. */
async function closing(fake: FakeProviderOptions, timeoutMs?: number) {
  const world = fakeWorld(fake)
  const provider = { callTimeoutMs }
  const service = world.serviceOver({ provider })
  const create = () => service.create({ owner: 'alice', model: 'fake-image', input: { prompt: 'a fox' } })
  const ids = [(await create()).job.id, (await create()).job.id]
  await world.clock.advance(10_000)
  const from = world.clock.now()
  const closed = service.close(timeoutMs === undefined ? {} : { timeoutMs })
  return {
    ...world,
    service,
    create,
    ids,
    closed: closed.then((result) => ({ ...result, tookMs: world.clock.now() - from })),
  }
}

describe('close() waits for the answers to submits, which may have to be paid for', () => {
  test('as long as the provider takes, and the jobs complete', async () => {
    const { clock, closed, jobs, ids, provider } = await closing(slow)
    await clock.advance(250_000)
    expect(await closed).toMatchObject({ leftJobs: [], unclosed: [] })
    for (const id of ids) expect(await jobs.get(id)).toMatchObject({ phase: 'completed' })
    expect(provider.ledger).toHaveLength(2)
  })

  test("at most until the provider's callTimeoutMs has passed", async () => {
    const { clock, closed, jobs, ids } = await closing({ behave: () => ({ answer: 'hang' }) })
    await clock.advance(callTimeoutMs - 20_000)
    expect(await jobs.get(ids[0]!)).toMatchObject({ phase: 'submitting' })
    await clock.advance(60_000)
    const { leftJobs, tookMs } = await closed
    expect(leftJobs).toEqual([])
    expect(tookMs).toBeGreaterThan(callTimeoutMs - 10_000)
    expect(tookMs).toBeLessThan(callTimeoutMs)
  })

  test('no longer than an operator allows', async () => {
    const { clock, closed, ids } = await closing(slow, 30_000)
    await clock.advance(60_000)
    const { leftJobs, tookMs } = await closed
    expect(leftJobs).toEqual(ids)
    expect(tookMs).toBeLessThanOrEqual(30_700)
  })

  test('while creates are refused and jobs can be read', async () => {
    const { clock, closed, service, create, ids } = await closing(slow)
    await clock.advance(100_000)
    await expect(create()).rejects.toMatchObject({ code: 'shutting_down' })
    expect(await service.get(ids[0]!, 'alice')).toMatchObject({ phase: 'submitting' })
    const waiter = service.waitFor(ids[0]!, 'alice')
    await clock.advance(0)
    expect(await waiter).toMatchObject({ phase: 'submitting' })
    await clock.advance(150_000)
    await closed
  })
})

describe('each second, the log of a closing service says', () => {
  test.each([
    ['how many submits have no answer yet and what they cost', 0.04, 'which cost 0.08 USD'],
    ['that their price is not known', undefined, 'whose price is not known'],
  ])('%s', async (_what, usd, words) => {
    const { clock, closed, log } = await closing({ ...slow, models: priced(usd) })
    await clock.advance(3500)
    const lines = log.lines.filter((line) => line.includes('is closing'))
    expect(lines).toHaveLength(4)
    expect(lines[0]).toContain(`the answers to 2 submits, ${words}, for at most 290 s more`)
    expect(lines[3]).toContain('for at most 287 s more')
    await clock.advance(250_000)
    await closed
    expect(log.lines.filter((line) => line.includes('is closing')).length).toBeLessThan(195)
  })
})

test('settled() resolves when the answers to all submits are stored, for hosts that stop the process after each answer', async () => {
  const { clock, service, create, jobs } = fakeWorld(slow)
  const { id } = await create()
  let isSettled = false
  void service.settled().then(() => (isSettled = true))
  await clock.advance(59_000)
  expect(isSettled).toBe(false)
  await clock.advance(10_000)
  expect(isSettled).toBe(true)
  expect((await jobs.get(id))?.claim?.until).toBeUndefined()
})
