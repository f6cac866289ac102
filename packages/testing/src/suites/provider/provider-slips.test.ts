import { describe, expect, test } from 'vitest'
import { providerSuite, type Suite } from '@genmount/testing'
import { acmeKey, acmeProvider, broken, careful, type Parts, startAcme } from '../../test-kit/acme.ts'

const sample = { model: 'acme-image', input: { prompt: 'a fox' } }

function suiteWith(changes: Partial<Parts>): Suite {
  return providerSuite(
    async () => ({
      provider: (baseUrl) => acmeProvider(baseUrl, changes),
      vendor: await startAcme(),
      secrets: [acmeKey],
      fetch: async () => new Response('a picture'),
      unknownHandle: '404',
      settleWithinMs: 1_000,
      finishWithinMs: 10_000,
      lateAnswerMs: 1_000,
    }),
    [sample],
  )
}

/** The message of each case that fails, by the name of the case. Skips the case that takes a second. */
async function told(changes: Partial<Parts>): Promise<Record<string, string>> {
  const failures: Record<string, string> = {}
  const suite = Object.entries(suiteWith(changes)).filter(([name]) => name !== late)
  for (const [name, run] of suite) await run().catch((fault: Error) => void (failures[name] = fault.message))
  return failures
}

test('a provider that reads its vendor with care passes every case, faults included', async () => {
  expect(await told({})).toEqual({})
  await suiteWith({})[late]!()
})

const askedOnce = 'a submit asks the vendor once, whatever becomes of the answer'
const uncertain = 'a submit whose outcome nobody knows is neither refused nor failed'
const putOff = 'a submit that the vendor puts off is refused, for as long as the vendor says'
const account = 'a submit without valid credentials has failed, and the account is at fault'
const redirected = 'a submit follows no redirect'
const late = 'an answer to a submit that comes late is one like any other'
const noNews = 'a poll that gets no news does not end the task'
const silent = 'calls that wait for a silent vendor end when their signals abort'
const foundAgain = 'a task whose answer was lost is found, and one that never arrived is not'
const noPromise = 'a find that the vendor has not answered promises nothing'
const hasId = 'a task of a vendor has the vendor’s id as its handle, or in its handle as the text `id`'
const noSecret = 'no secret is in a report or in an error, though the vendor repeats it'

const failed = (message: string) => ({ state: 'failed', code: 'provider_failed', message }) as const

/** Mistakes of a provider, and a part of the message of each case that must fail. */
const slips: Record<string, readonly [Partial<Parts>, Readonly<Record<string, string>>]> = {
  'posts a second time when the answer breaks off': [
    { ask: (send, path, init) => send(path, init).catch(() => send(path, init)) },
    {
      [askedOnce]:
        'after a connection that breaks before the vendor hears of the request: the vendor may make the task 2 times',
    },
  ],
  'posts a second time after a 5xx': [
    {
      async ask(send, path, init) {
        const reply = await send(path, init)
        return reply.status >= 500 ? send(path, init) : reply
      },
    },
    { [askedOnce]: 'one submit sends POST /tasks 2 times after HTTP 500' },
  ],
  'keeps the id of a task where operators do not look for it': [
    {
      async submitted(reply) {
        const report = await careful.submitted(reply)
        return report.state === 'running' ? { ...report, handle: [report.handle] } : report
      },
    },
    { [hasId]: 'operators can not find the job of the task with the handle ["0"]' },
  ],
  'always posts twice': [
    {
      async ask(send, path, init) {
        if (init.method === 'POST') await send(path, init)
        return send(path, init)
      },
    },
    {
      [askedOnce]: 'one submit sends POST /tasks 2 times, although nothing goes wrong',
      [foundAgain]: 'the vendor has not heard of a task, and find says {"state":"running"',
    },
  ],
  'takes the 5xx of a submit for a refusal': [
    {
      submitted: async (reply) =>
        reply.status >= 500 ? { state: 'refused', message: 'Busy.' } : careful.submitted(reply),
    },
    { [uncertain]: 'after HTTP 500, a submit has to throw, because the vendor may have taken the task on' },
  ],
  'takes a lost answer to a submit for a failure': [
    { submitted: async (reply) => careful.submitted(reply).catch((fault) => failed(String(fault.name))) },
    { [uncertain]: 'after an answer that breaks off, a submit has to throw' },
  ],
  'takes seconds for milliseconds': [
    {
      async submitted(reply) {
        const report = await careful.submitted(reply)
        return report.state === 'refused' ? { ...report, retryAfterMs: 7 } : report
      },
    },
    {
      [putOff]: 'the vendor says Retry-After: 7 (seconds), and the report says retryAfterMs 7 (milliseconds)',
    },
  ],
  'does not say for how long it is put off': [
    {
      async submitted(reply) {
        const report = await careful.submitted(reply)
        return report.state === 'refused' ? { ...report, retryAfterMs: undefined } : report
      },
    },
    {
      [putOff]: 'the vendor says Retry-After: 7 (seconds), and the report says no retryAfterMs',
    },
  ],
  'throws when it is put off, or its key is wrong': [
    {
      async submitted(reply) {
        if ([401, 429].includes(reply.status)) throw broken(reply)
        return careful.submitted(reply)
      },
    },
    {
      [putOff]:
        'after HTTP 429, a submit must report refused. The result: it throws Error: Acme answered with 429.',
      [account]:
        "after HTTP 401, a submit must report failed with code 'provider_rejected' and isAccountAtFault true",
    },
  ],
  'follows redirects': [
    { ask: (send, path, init) => send(path, { ...init, redirect: 'follow' }) },
    {
      [redirected]: 'after HTTP 302, the submit sends GET to another host',
      [noSecret]: 'a secret to another host',
    },
  ],
  'takes a redirect for a task': [
    {
      submitted: async (reply) =>
        reply.status < 400 && !reply.ok ? { state: 'running', handle: 0 } : careful.submitted(reply),
    },
    { [redirected]: 'a redirect is no answer of a vendor that has taken a task on' },
  ],
  'ignores its signal': [
    { ask: (send, path, { signal: _signal, ...init }) => send(path, init) },
    {
      [askedOnce]: 'the call ignores its signal: after the abort it does not return within 1000 ms',
      [uncertain]: 'the call ignores its signal',
      [silent]: 'the call ignores its signal',
    },
  ],
  'takes the 5xx of a poll for a failure': [
    {
      polled: async (reply, handle) =>
        reply.status >= 500 ? failed('Acme has failed.') : careful.polled(reply, handle),
    },
    {
      [noNews]:
        'after HTTP 500, a poll must throw, or report unknown, refused or running, because the task goes on',
    },
  ],
  'gives a task up at the first 404': [
    {
      polled: async (reply, handle) =>
        reply.status === 404 ? failed('Acme has lost it.') : careful.polled(reply, handle),
    },
    {
      'a task that the vendor does not know is unknown now, and not failed for one such answer':
        'provider_failed',
      'a handle that was never given neither succeeds nor fails at the first answer': 'has failed',
      [noNews]: 'after HTTP 404',
    },
  ],
  'believes that a find without an answer has found nothing': [
    { foundReport: (reply) => careful.foundReport(reply).catch(() => undefined) },
    { [noPromise]: 'after HTTP 401, find must throw or report unknown, but it resolves with undefined' },
  ],
  'promises that a task was never taken on': [
    { foundReport: async () => undefined },
    {
      'a task is found by its client token or callback URL, and no other is': 'is not found',
      [foundAgain]: 'the service would pay twice',
      [noPromise]: 'resolves with undefined',
    },
  ],
  'finds what never arrived': [
    { foundReport: async () => ({ state: 'running', handle: 0 }) },
    {
      'a task is found by its client token or callback URL, and no other is':
        'a task is found that was not submitted yet',
      [foundAgain]: 'the vendor has not heard of a task, and find says {"state":"running","handle":0}',
    },
  ],
  'shows the words of its vendor': [
    {
      submitted: async (reply) =>
        reply.status === 422 ? failed(Object(await reply.json()).message) : careful.submitted(reply),
    },
    { [noSecret]: 'a secret is in what submit reports after HTTP 422' },
  ],
  'throws the words of its vendor': [
    {
      async polled(reply, handle) {
        if (reply.status === 500) throw new Error('Acme has failed.', { cause: await reply.json() })
        return careful.polled(reply, handle)
      },
    },
    { [noSecret]: 'a secret is in what poll throws after HTTP 500' },
  ],
}

describe('a provider is caught, and told in words, that', () => {
  test.each(Object.entries(slips))('%s', async (_slip, [changes, expected]) => {
    const failures = await told(changes)
    expect(Object.keys(failures)).toEqual(Object.keys(expected))
    for (const [name, words] of Object.entries(expected)) expect(failures[name]).toContain(words)
  })
})

test('a provider that leaves too early, before a late answer comes, is caught', async () => {
  const hasty: Partial<Parts> = {
    ask: (send, path, { signal, ...init }) =>
      send(path, { ...init, signal: AbortSignal.any([signal!, AbortSignal.timeout(500)]) }),
  }
  await expect(suiteWith(hasty)[late]!()).rejects.toThrow(
    'the answer comes after 1000 ms, and it throws TimeoutError',
  )
})

test('a secret that is kept in a handle is caught, because handles are stored', async () => {
  const submitted = async () => ({ state: 'running', handle: { id: 0, acmeKey } }) as const
  await expect(suiteWith({ submitted })[noSecret]!()).rejects.toThrow('in what submit reports as the handle')
})

test('a provider that sends nothing to the base URL that it is given is told so', async () => {
  const suite = providerSuite(async () => {
    const [vendor, elsewhere] = [await startAcme(), await startAcme()]
    return { provider: () => acmeProvider(elsewhere), vendor, secrets: [acmeKey] }
  }, [sample])
  await expect(suite[askedOnce]!()).rejects.toThrow('sends no request to the base URL')
})

test('a time limit of the suite that is no duration is refused by its name', async () => {
  for (const limit of ['finishWithinMs', 'settleWithinMs', 'lateAnswerMs']) {
    const subject = { provider: acmeProvider, vendor: 'http://127.0.0.1:9', secrets: [], [limit]: 0 }
    const suite = providerSuite(() => subject, [sample])
    await expect(suite[noNews]!()).rejects.toThrow(`${limit} must be a whole number`)
  }
})
