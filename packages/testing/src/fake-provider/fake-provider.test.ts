import { expect, test } from 'vitest'
import type { ProviderCall, ProviderTask, RunningTask } from '@genmount/core'
import {
  fakeProvider,
  lost,
  manualClock,
  nonsense,
  refused,
  type FakeFault,
  type FakeProvider,
} from '@genmount/testing'

const call: ProviderCall = { signal: new AbortController().signal }

function task(input: ProviderTask['input'] = {}, jobId = 'job-1'): ProviderTask {
  return {
    jobId,
    model: 'fake-image',
    input: { prompt: 'a fox', ...input },
    clientToken: `token-of-${jobId}`,
  }
}

async function started(provider: FakeProvider, given = task()): Promise<RunningTask> {
  const report = await provider.submit(given, call)
  if (report.state !== 'running') throw new Error(`expected a running task, got ${report.state}`)
  return { ...given, handle: report.handle }
}

test('an unscripted task is finished at once, with one image, and stands in the ledger', async () => {
  const provider = fakeProvider({ clock: manualClock(7) })
  expect(await provider.submit(task(), call)).toMatchObject({
    state: 'succeeded',
    outputs: [{ contentType: 'image/png' }],
    costUsd: 0.01,
  })
  const { ledger } = provider
  expect(ledger).toEqual([
    { clientToken: 'token-of-job-1', jobId: 'job-1', model: 'fake-image', at: 7, costUsd: 0.01 },
  ])
})

test('a delayed task runs until its time has come on the clock, and polls are recorded with their instants', async () => {
  const clock = manualClock(0)
  const provider = fakeProvider({ clock, behave: [{ delayMs: 100, pollAfterMs: 20 }] })
  const running = await started(provider)
  await clock.advance(99)
  expect(await provider.poll(running, call)).toEqual({
    state: 'running',
    handle: running.handle,
    pollAfterMs: 20,
  })
  await clock.advance(1)
  expect(await provider.poll(running, call)).toMatchObject({ state: 'succeeded', inferenceMs: 100 })
  expect(provider.polls).toEqual([
    { jobId: 'job-1', at: 99 },
    { jobId: 'job-1', at: 100 },
  ])
})

test('a list of behaviours serves successive submits, and its last entry stays', async () => {
  const provider = fakeProvider({ behave: [{ submit: refused(2_000) }, {}] })
  expect(await provider.submit(task(), call)).toEqual({
    state: 'refused',
    message: 'Too many requests.',
    retryAfterMs: 2_000,
  })
  for (const round of [2, 3]) {
    expect(await provider.submit(task(), call), `submit ${round}`).toMatchObject({ state: 'succeeded' })
  }
  expect(provider.submits).toHaveLength(3)
  expect(provider.ledger).toHaveLength(2)
})

test('a connection reset before the task is taken on costs nothing, one reset after it is paid', async () => {
  const before = fakeProvider({ behave: [{ submit: 'reset' }] })
  await expect(before.submit(task(), call)).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } })
  expect(before.ledger).toHaveLength(0)

  const after = fakeProvider({ behave: [{ answer: 'reset' }] })
  await expect(after.submit(task(), call)).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } })
  expect(after.ledger).toHaveLength(1)
})

test('a refused connection names its code, and a 5xx is thrown', async () => {
  const provider = fakeProvider({ behave: [{ submit: 'connection_refused' }, { submit: 'server_error' }] })
  await expect(provider.submit(task(), call)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } })
  await expect(provider.submit(task(), call)).rejects.toThrow('500')
})

test.each(['submit', 'answer'] as const)('a %s that hangs ends with its signal', async (moment) => {
  const provider = fakeProvider({ behave: [{ [moment]: 'hang' }] })
  const aborting = new AbortController()
  const answer = provider.submit(task(), { signal: aborting.signal })
  aborting.abort(new Error('time is up'))
  await expect(answer).rejects.toThrow('time is up')
})

test('a call with latency takes that long on the clock, and gives up when aborted', async () => {
  const clock = manualClock(0)
  const provider = fakeProvider({ clock, latencyMs: 50 })
  const answer = provider.submit(task(), call)
  await clock.advance(49)
  expect(provider.ledger).toHaveLength(0)
  await clock.advance(1)
  expect(await answer).toMatchObject({ state: 'succeeded' })

  const aborting = new AbortController()
  const aborted = provider.submit(task(), { signal: aborting.signal })
  aborting.abort(new Error('time is up'))
  await expect(aborted).rejects.toThrow('time is up')
})

test('polls fail as often as scripted and then recover', async () => {
  const provider = fakeProvider({
    behave: [{ delayMs: 0, poll: ['reset', refused(), nonsense.unknownState] }],
  })
  const running = await started(provider)
  await expect(provider.poll(running, call)).rejects.toThrow()
  expect(await provider.poll(running, call)).toMatchObject({ state: 'refused' })
  expect(await provider.poll(running, call)).toMatchObject({ state: 'finished' })
  expect(await provider.poll(running, call)).toMatchObject({ state: 'succeeded' })
})

test.each<[string, FakeFault, unknown]>([
  ['says so', lost, { state: 'unknown' }],
  ['throws', 'server_error', undefined],
])('a task that disappears for good %s at every poll', async (_how, poll, report) => {
  const provider = fakeProvider({ behave: [{ delayMs: 0, poll }] })
  const running = await started(provider)
  for (let round = 1; round <= 3; round++) {
    const answer = provider.poll(running, call)
    if (report) expect(await answer).toMatchObject(report)
    else await expect(answer).rejects.toThrow()
  }
})

test('a handle that the vendor never gave is a task that it does not know', async () => {
  const answer = await fakeProvider().poll({ ...task(), handle: null }, call)
  expect(answer).toMatchObject({ state: 'unknown' })
})

test('optional capabilities are there only when asked for', () => {
  const plain = fakeProvider()
  expect([plain.find, plain.cancel, plain.readCallback, plain.dedupesSubmits]).toEqual([
    undefined,
    undefined,
    undefined,
    false,
  ])
})

test('a vendor that dedupes charges one token once, even when the first answer was lost', async () => {
  const provider = fakeProvider({ dedupesSubmits: true, behave: [{ answer: 'reset', delayMs: 0 }, {}] })
  await expect(provider.submit(task(), call)).rejects.toThrow()
  expect(await provider.submit(task(), call)).toMatchObject({ state: 'running' })
  expect(provider.ledger).toHaveLength(1)
})

test('a task is found by its token when it was taken on, and only then', async () => {
  const provider = fakeProvider({ find: true, behave: [{ submit: 'reset' }, { answer: 'reset' }] })
  await expect(provider.submit(task(), call)).rejects.toThrow()
  expect(await provider.find?.(task(), call)).toBeUndefined()
  await expect(provider.submit(task(), call)).rejects.toThrow()
  expect(await provider.find?.(task(), call)).toMatchObject({ state: 'succeeded' })
})

test('a cancelled task fails and is recorded', async () => {
  const provider = fakeProvider({ cancel: true, behave: [{ delayMs: 1_000 }], clock: manualClock(5) })
  const running = await started(provider)
  await provider.cancel?.(running, call)
  expect(await provider.poll(running, call)).toMatchObject({ state: 'failed' })
  expect(provider.cancels).toEqual([{ jobId: 'job-1', at: 5 }])
})

test('a callback is sent when the task has finished; forged and stale ones are refused', async () => {
  const clock = manualClock(0)
  const sent: string[] = []
  const provider = fakeProvider({
    clock,
    behave: [{ delayMs: 100 }],
    sendCallback: (jobId) => sent.push(`${jobId} at ${clock.now()}`),
  })
  const running = await started(provider)
  await clock.advance(1_000)
  expect(sent).toEqual(['job-1 at 100'])

  const genuine = provider.callbackFor('job-1')
  expect(await provider.readCallback?.(genuine)).toEqual(running.handle)
  const otherBody = new TextEncoder().encode('{"handle":{"fakeTask":2},"at":0}')
  await expect(provider.readCallback?.({ ...genuine, body: otherBody })).rejects.toThrow('forged')
  await expect(provider.readCallback?.({ ...genuine, headers: {} })).rejects.toThrow('forged')
  await clock.advance(5 * 60_000 + 1)
  await expect(provider.readCallback?.(genuine)).rejects.toThrow('stale')
})

test('calls for one job that overlap are told', async () => {
  const provider = fakeProvider({ behave: [{ delayMs: 0 }] })
  const running = await started(provider)
  await Promise.all([provider.poll(running, call), provider.submit(task({}, 'job-2'), call)])
  expect(provider.overlaps).toEqual([])
  await Promise.all([provider.poll(running, call), provider.poll(running, call)])
  expect(provider.overlaps).toHaveLength(1)
})
