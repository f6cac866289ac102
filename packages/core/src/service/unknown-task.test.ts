import { expect, test } from 'vitest'
import { type FakeFault, fakeProvider, lost, manualClock } from '@genmount/testing'
import { createGenerationService } from './create-generation-service.ts'

const quiet = { warn() {}, error() {} }

/** A job whose provider runs it for `delayMs` and answers polls with these faults, in turn or always. */
async function startJob(poll: FakeFault | readonly FakeFault[], delayMs: number) {
  const clock = manualClock()
  const provider = fakeProvider({ clock, behave: [{ delayMs, poll, pollAfterMs: 1000 }] })
  const service = createGenerationService({ providers: [provider], clock, log: quiet })
  const { job } = await service.create({ owner: 'alice', model: 'fake-image', input: { prompt: 'a fox' } })
  const state = async () => {
    const { phase, error } = await service.get(job.id, 'alice')
    return error?.code ?? phase
  }
  return { clock, provider, service, state }
}

test.each([1, 2, 10])(
  '%d answers in a row that a task is unknown lose no job whose task is known again',
  async (times) => {
    const { clock, provider, service, state } = await startJob(Array<FakeFault>(times).fill(lost), 500)
    // Long enough for a task of this age to be given up, had it not come back before.
    await clock.advance(times === 10 ? 13_000 : 60_000)
    expect(await state()).toBe(times === 10 ? 'running' : 'completed')
    expect(provider.ledger).toHaveLength(1)
    await service.close()
  },
)

test('a task that stays unknown is lost after three answers and 15 seconds, and not before', async () => {
  const { clock, provider, service, state } = await startJob(lost, 500)
  await clock.advance(15_500)
  expect(await state()).toBe('running')
  await clock.advance(25_000)
  expect(await state()).toBe('provider_lost')
  expect(provider.polls.length).toBeGreaterThanOrEqual(3)
  await service.close()
})

test('the longer a task was known, the longer it may be unknown before it is lost', async () => {
  const known: FakeFault = { report: { state: 'running', handle: { fakeTask: 1 }, pollAfterMs: 240_000 } }
  const polls = Array.from({ length: 104 }, (_, index) => (index < 4 ? known : lost))
  const { clock, service, state } = await startJob(polls, 1_700_000)
  await clock.advance(4 * 240_000 + 1000)
  await clock.advance(200_000)
  expect(await state()).toBe('running')
  await clock.advance(300_000)
  expect(await state()).toBe('provider_lost')
  await service.close()
})

test('silence between two answers does not make a task known', async () => {
  const { clock, service, state } = await startJob(
    [lost, 'server_error', lost, 'reset', ...Array<FakeFault>(20).fill(lost)],
    500,
  )
  await clock.advance(60_000)
  expect(await state()).toBe('provider_lost')
  await service.close()
})
