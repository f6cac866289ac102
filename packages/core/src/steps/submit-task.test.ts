import { callbacks } from '@genmount/core/callbacks'
import { expect, test } from 'vitest'
import { type FakeBehaviour, type FakeProviderOptions, fakeWorld, nonsense, refused } from '@genmount/testing'
import type { CallbackRequest } from '../contracts/callback-request.ts'
import type { GenerationServiceOptions } from '../service/generation-service-options.ts'

const finish: FakeBehaviour = {}

/** Creates one job, lets an hour pass, and returns the result. */
async function outcomeOf(fake: FakeProviderOptions, options: Partial<GenerationServiceOptions> = {}) {
  const { provider, service, create, jobAfter } = fakeWorld(fake, options)
  const { phase, error, costUsd } = await jobAfter(3_600_000, (await create()).id)
  await service.close()
  return {
    provider,
    verdict: error?.code ?? phase,
    paid: provider.ledger.length,
    costUsd,
    submits: provider.submits,
  }
}

test.each<[string, FakeBehaviour]>([
  ['refused with a status', { submit: refused() }],
  ['refused at the socket', { submit: 'connection_refused' }],
])('a submit that was clearly %s is repeated with growing pauses', async (_what, behaviour) => {
  const { verdict, paid, submits } = await outcomeOf({ behave: [behaviour, behaviour, behaviour, finish] })
  expect([verdict, paid, submits.length]).toEqual(['completed', 1, 4])
  const gaps = submits.map(({ at }, i) => at - (submits[i - 1]?.at ?? at)).slice(1)
  expect(gaps[2]).toBeGreaterThan(gaps[0] ?? Number.POSITIVE_INFINITY)
})

test('a provider that refuses a submit with a retry time is not asked before it', async () => {
  const { verdict, submits } = await outcomeOf({ behave: [{ submit: refused(90_000) }, finish] })
  expect(verdict).toBe('completed')
  expect((submits[1]?.at ?? 0) - (submits[0]?.at ?? 0)).toBeGreaterThanOrEqual(90_000)
})

test('a job that its provider keeps refusing fails at its deadline, and nothing is paid', async () => {
  const { verdict, paid, submits } = await outcomeOf({ behave: [{ submit: refused(864_000_000) }] })
  expect([verdict, paid, submits.length]).toEqual(['deadline_exceeded', 0, 1])
})

const unknownOutcomes: [string, FakeBehaviour][] = [
  ['breaks off after it was taken on', { answer: 'reset' }],
  ['breaks off before it was taken on', { submit: 'reset' }],
  ['ends in status 500', { answer: 'server_error' }],
  ['is never answered', { answer: 'hang' }],
  ...Object.entries(nonsense)
    .filter(
      ([, fault]) =>
        typeof fault.report !== 'object' || !('state' in fault.report) || fault.report.state !== 'succeeded',
    )
    .map(([what, answer]): [string, FakeBehaviour] => [`is answered with nonsense (${what})`, { answer }]),
]

test.each(unknownOutcomes)(
  'a submit that %s is not repeated: the job fails as submit_ambiguous',
  async (_what, behaviour) => {
    const { verdict, submits } = await outcomeOf({ behave: [behaviour, finish] })
    expect([verdict, submits.length]).toEqual(['submit_ambiguous', 1])
  },
)

test.each(unknownOutcomes)(
  'a submit that %s is repeated where the provider dedupes',
  async (_what, behaviour) => {
    const { verdict, paid } = await outcomeOf({ behave: [behaviour, finish], dedupesSubmits: true })
    expect([verdict, paid]).toEqual(['completed', 1])
  },
)

test.each(unknownOutcomes)(
  'a submit that %s is found where the provider can find tasks',
  async (_what, behaviour) => {
    const { verdict, paid } = await outcomeOf({ behave: [behaviour, finish], find: true })
    expect([verdict, paid]).toEqual(['completed', 1])
  },
)

test.each(unknownOutcomes)(
  'a submit that %s is repeated with onAmbiguousSubmit: resubmit',
  async (_what, behaviour) => {
    const { verdict } = await outcomeOf({ behave: [behaviour, finish] }, { onAmbiguousSubmit: 'resubmit' })
    expect(verdict).toBe('completed')
  },
)

test('a submit whose answer was lost is adopted by its callback, and forged ones change nothing', async () => {
  const sent: [string, CallbackRequest][] = []
  const sendCallback = (jobId: string, request: CallbackRequest) => sent.push([jobId, request])
  const { clock, provider, service, create, jobAfter } = fakeWorld(
    { sendCallback, behave: [{ answer: 'reset', delayMs: 30_000 }] },
    { plugins: [callbacks({ baseUrl: 'https://app.test' })] },
  )
  const { id } = await create()
  // The URL of the callback is calculated in real time, outside of the manual clock.
  await expect.poll(() => clock.advance(100).then(() => provider.ledger.length)).toBe(1)
  const genuine = provider.callbackFor(id)
  await service.receiveCallback(id, { ...genuine, body: new TextEncoder().encode('{"handle":"mine"}') })
  expect(await service.get(id, 'alice')).toMatchObject({ phase: 'submitting' })
  await service.receiveCallback(id, genuine)
  await service.receiveCallback(id, genuine)
  await service.receiveCallback('gen_0', genuine)
  expect(await service.get(id, 'alice')).toMatchObject({ phase: 'running' })
  expect(await jobAfter(60_000, id)).toMatchObject({ phase: 'completed' })
  await service.close()
  expect([provider.ledger.length, provider.submits.length]).toEqual([1, 1])
  expect(sent).toHaveLength(1)
})

test('an ambiguous submit at a provider with callbacks waits for a callback before it fails', async () => {
  const { verdict } = await outcomeOf({ behave: [{ answer: 'reset' }], sendCallback: () => {} })
  expect(verdict).toBe('submit_ambiguous')
})

test.each<[string, FakeProviderOptions, string]>([
  ['cannot dedupe', {}, 'submit_ambiguous'],
  ['dedupes', { dedupesSubmits: true }, 'completed'],
  ['can find', { find: true }, 'completed'],
])(
  'after a crash between submit and record, a provider that %s is paid once',
  async (_what, capabilities, verdict) => {
    const { clock, provider, jobs, serviceOver, start, jobAfter } = fakeWorld({
      behave: () => ({ delayMs: 5000 }),
      ...capabilities,
    })
    // The process writes nothing any more once the provider has been called.
    const replace: typeof jobs.replace = (next, revision) =>
      provider.ledger.length > 0 ? new Promise(() => {}) : jobs.replace(next, revision)
    const doomed = serviceOver({ jobs: { replace } })
    const { job } = await doomed.create({ owner: 'alice', model: 'fake-image', input: { prompt: 'a fox' } })
    await clock.advance(100)
    expect(provider.ledger).toHaveLength(1)

    const { service: successor } = start()
    const after = await jobAfter(600_000, job.id, successor)
    expect(after.error?.code ?? after.phase).toBe(verdict)
    expect(provider.ledger).toHaveLength(1)
    await successor.close()
  },
)

test('a store write that fails after a paid submit is repeated, and the job is not lost', async () => {
  let stumbles = 3
  const { provider, jobs, serviceOver, jobAfter } = fakeWorld()
  const replace: typeof jobs.replace = async (next, revision) => {
    if (provider.ledger.length > 0 && stumbles-- > 0) throw new Error('The disk is busy.')
    return jobs.replace(next, revision)
  }
  const service = serviceOver({ jobs: { replace } })
  const { job } = await service.create({ owner: 'alice', model: 'fake-image', input: { prompt: 'a fox' } })
  expect(await jobAfter(10_000, job.id, service)).toMatchObject({ phase: 'completed' })
  expect(provider.ledger).toHaveLength(1)
  await service.close()
})

test('the cause of a failure goes to the log and is kept for operators, apart from the message for the owner', async () => {
  const submit = async () => ({
    state: 'failed' as const,
    code: 'provider_failed' as const,
    message: 'The work on this job broke down.',
    cause: new Error('no such file: /srv/network.bin'),
  })
  const { log, service, create, jobAfter } = fakeWorld({}, { provider: { submit } })
  const { error } = await jobAfter(1, (await create()).id)
  const detail = 'no such file: /srv/network.bin'
  expect(error).toEqual({ code: 'provider_failed', message: 'The work on this job broke down.', detail })
  expect(log.lines).toContainEqual(expect.stringContaining('/srv/network.bin'))
  await service.close()
})

test('the log says why a connection was not made', async () => {
  const submit = async () => {
    throw new TypeError('fetch failed', { cause: Object.assign(new Error('no'), { code: 'ENOTFOUND' }) })
  }
  const { log, service, create, jobAfter } = fakeWorld({}, { provider: { submit } })
  await jobAfter(1, (await create()).id)
  expect(log.lines).toContainEqual(expect.stringContaining('fetch failed (ENOTFOUND)'))
  await service.close()
})
