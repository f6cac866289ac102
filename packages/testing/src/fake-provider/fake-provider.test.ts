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

test('fakeProvider finishes a task at once with one image and adds it to the ledger when no behaviour is set', async () => {
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

test('fakeProvider runs a task with a delay until its time on the clock, and records each poll with its instant', async () => {
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

test('fakeProvider takes a list of behaviours for successive submits, and repeats the last one', async () => {
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

test('a submit to fakeProvider costs nothing when it is reset before the task, and its price when it is reset after it', async () => {
  const before = fakeProvider({ behave: [{ submit: 'reset' }] })
  await expect(before.submit(task(), call)).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } })
  expect(before.ledger).toHaveLength(0)

  const after = fakeProvider({ behave: [{ answer: 'reset' }] })
  await expect(after.submit(task(), call)).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } })
  expect(after.ledger).toHaveLength(1)
})

test('fakeProvider throws a refused connection with its code, and a status of 500', async () => {
  const provider = fakeProvider({ behave: [{ submit: 'connection_refused' }, { submit: 'server_error' }] })
  await expect(provider.submit(task(), call)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } })
  await expect(provider.submit(task(), call)).rejects.toThrow('500')
})

test.each(['submit', 'answer'] as const)(
  'a %s of fakeProvider that hangs ends when its signal aborts',
  async (moment) => {
    const provider = fakeProvider({ behave: [{ [moment]: 'hang' }] })
    const aborting = new AbortController()
    const answer = provider.submit(task(), { signal: aborting.signal })
    aborting.abort(new Error('time is up'))
    await expect(answer).rejects.toThrow('time is up')
  },
)

test('a call to fakeProvider takes its latency on the clock, and ends when it is aborted', async () => {
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

test('polls of fakeProvider fail as often as its behaviour says, and then succeed', async () => {
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

test('fakeProvider reports an unknown task for a handle that it has not given', async () => {
  const answer = await fakeProvider().poll({ ...task(), handle: null }, call)
  expect(answer).toMatchObject({ state: 'unknown' })
})

test('fakeProvider has find, cancel, readCallback and dedupesSubmits only with their options', () => {
  const plain = fakeProvider()
  expect([plain.find, plain.cancel, plain.readCallback, plain.dedupesSubmits]).toEqual([
    undefined,
    undefined,
    undefined,
    false,
  ])
})

test('fakeProvider with dedupesSubmits charges a client token once, also when the first answer is lost', async () => {
  const provider = fakeProvider({ dedupesSubmits: true, behave: [{ answer: 'reset', delayMs: 0 }, {}] })
  await expect(provider.submit(task(), call)).rejects.toThrow()
  expect(await provider.submit(task(), call)).toMatchObject({ state: 'running' })
  expect(provider.ledger).toHaveLength(1)
})

test('find of fakeProvider finds a task by its client token only when the submit was accepted', async () => {
  const provider = fakeProvider({ find: true, behave: [{ submit: 'reset' }, { answer: 'reset' }] })
  await expect(provider.submit(task(), call)).rejects.toThrow()
  expect(await provider.find?.(task(), call)).toBeUndefined()
  await expect(provider.submit(task(), call)).rejects.toThrow()
  expect(await provider.find?.(task(), call)).toMatchObject({ state: 'succeeded' })
})

test('a task that is canceled at fakeProvider fails, and the cancel is recorded', async () => {
  const provider = fakeProvider({ cancel: true, behave: [{ delayMs: 1_000 }], clock: manualClock(5) })
  const running = await started(provider)
  await provider.cancel?.(running, call)
  expect(await provider.poll(running, call)).toMatchObject({ state: 'failed' })
  expect(provider.cancels).toEqual([{ jobId: 'job-1', at: 5 }])
})

test('fakeProvider sends a callback when its task has finished, and refuses a forged or an old one', async () => {
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

test('fakeProvider records calls for one job that overlap', async () => {
  const provider = fakeProvider({ behave: [{ delayMs: 0 }] })
  const running = await started(provider)
  await Promise.all([provider.poll(running, call), provider.submit(task({}, 'job-2'), call)])
  expect(provider.overlaps).toEqual([])
  await Promise.all([provider.poll(running, call), provider.poll(running, call)])
  expect(provider.overlaps).toHaveLength(1)
})
