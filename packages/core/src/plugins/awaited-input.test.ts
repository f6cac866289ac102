import { fakeWorld } from '@genmount/testing'
import { expect, test } from 'vitest'
import type { PluginHooks, ServicePlugin } from '../contracts/plugin/service-plugin.ts'

/** A world whose plugin says at a create that something is awaited. */
function waitingWorld(awaitsInput: PluginHooks['awaitsInput']) {
  let awaitedUntil = 0
  const waits: ServicePlugin = {
    name: 'waits',
    attach: () => ({
      resolveInput: async (_owner, input) => ({
        input,
        restored: (validated) => validated,
        mustLiveUntil() {},
        awaitedUntil,
      }),
      awaitsInput,
    }),
  }
  const world = fakeWorld({}, { plugins: [waits] })
  awaitedUntil = world.clock.now() + 10_000
  return world
}

test('a job whose plugin awaits something is asked about at the times that the plugin says, and submitted when nothing is awaited', async () => {
  const seconds: number[] = []
  const { service, create, clock, provider } = waitingWorld(async () => {
    seconds.push(Math.round((clock.now() - start) / 1000))
    return seconds.length < 3 ? clock.now() + 60_000 : undefined
  })
  const start = clock.now()
  const { startedAt } = await create()
  expect(startedAt).toBeUndefined()
  await expect.poll(() => clock.advance(500).then(() => provider.ledger.length)).toBe(1)
  expect(seconds).toEqual([1, 10, 70])
  await service.close()
})

test.each<[string, PluginHooks['awaitsInput']]>([
  ['throws', () => Promise.reject(new Error('It is out of order.'))],
  ['throws at once', () => fail()],
  ['hangs', () => new Promise(() => {})],
  ['lies', async () => 'nonsense' as never],
])(
  'a job is submitted although its plugin %s when it is asked what is awaited',
  async (_what, awaitsInput) => {
    const { service, create, clock, log, provider } = waitingWorld(awaitsInput)
    await create()
    await expect.poll(() => clock.advance(1000).then(() => provider.ledger.length)).toBe(1)
    expect(log.lines.join()).toContain('The plugin waits has failed at awaitsInput')
    await service.close()
  },
)

test('a job whose plugin awaits something until its deadline fails with that reason, and costs nothing', async () => {
  const { service, create, jobAfter, provider, clock } = waitingWorld(async () => clock.now() + 3_600_000)
  const { error, costUsd } = await jobAfter(25 * 3_600_000, (await create()).id)
  expect(error).toMatchObject({
    code: 'deadline_exceeded',
    message: expect.stringContaining('the job whose output it needs had not finished'),
  })
  expect([costUsd, provider.ledger.length]).toEqual([0, 0])
  await service.close()
})

function fail(): never {
  throw new Error('It is out of order.')
}
