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
    expect(await stateAfter(600_000)).toBe('completed')
    expect(provider.ledger).toHaveLength(1)
    await service.close()
  },
)

test('failed polls between the answers that a task is unknown do not prolong its 5 minutes', async () => {
  const polls = [lost, 'server_error', lost, 'reset', ...Array<FakeFault>(40).fill(lost)] as const
  const { service, stateAfter } = await startJob(polls, 500)
  expect(await stateAfter(300_000)).toBe('running')
  expect(await stateAfter(300_000)).toBe('provider_lost')
  await service.close()
})
