import { expect, test } from 'vitest'
import { type FakeFault, fakeWorld, lost } from '@genmount/testing'

/** A job whose provider runs it for `delayMs` and answers polls with these faults, in turn or always. */
async function startJob(poll: FakeFault | readonly FakeFault[], delayMs: number) {
  const world = fakeWorld({ behave: [{ delayMs, poll, pollAfterMs: 1000 }] })
  const { id } = await world.create()
  const stateAfter = async (ms: number) => {
    const { phase, error } = await world.jobAfter(ms, id)
    return error?.code ?? phase
  }
  return { ...world, service: world.service, stateAfter }
}

test.each([1, 2, 10])(
  '%d answers in a row that a task is unknown do not fail a job whose task is known again',
  async (times) => {
    const { provider, service, stateAfter } = await startJob(Array<FakeFault>(times).fill(lost), 500)
    // Long enough for a task of this age to be given up, if it had not been found again.
    expect(await stateAfter(times === 10 ? 13_000 : 60_000)).toBe(times === 10 ? 'running' : 'completed')
    expect(provider.ledger).toHaveLength(1)
    await service.close()
  },
)

test('a task that stays unknown fails as provider_lost after three answers and 15 seconds, and not before', async () => {
  const { provider, service, stateAfter } = await startJob(lost, 500)
  expect(await stateAfter(15_500)).toBe('running')
  expect(await stateAfter(25_000)).toBe('provider_lost')
  expect(provider.polls.length).toBeGreaterThanOrEqual(3)
  await service.close()
})

test('the longer a task was known, the longer it may be unknown before it is lost', async () => {
  const known: FakeFault = { report: { state: 'running', handle: { fakeTask: 1 }, pollAfterMs: 240_000 } }
  const polls = Array.from({ length: 104 }, (_, index) => (index < 4 ? known : lost))
  const { clock, service, stateAfter } = await startJob(polls, 1_700_000)
  await clock.advance(4 * 240_000 + 1000)
  expect(await stateAfter(200_000)).toBe('running')
  expect(await stateAfter(300_000)).toBe('provider_lost')
  await service.close()
})

test('a failed poll between two answers that a task is unknown does not reset the count', async () => {
  const { service, stateAfter } = await startJob(
    [lost, 'server_error', lost, 'reset', ...Array<FakeFault>(20).fill(lost)],
    500,
  )
  expect(await stateAfter(60_000)).toBe('provider_lost')
  await service.close()
})
