import { expect, test } from 'vitest'
import type { ReceivedAnswer } from './received-answer.ts'
import { messageOf } from './message-of.ts'
import { pollFailure, submitFailure } from './vendor-failure.ts'

const now = Date.now()

function answer(
  status: number,
  json: unknown = undefined,
  headers: Record<string, string> = {},
): ReceivedAnswer {
  const text = JSON.stringify(json) ?? ''
  return { ok: false, status, headers: new Headers(headers), bytes: new Uint8Array(), text, json }
}

test.each([400, 409, 413, 422])(
  'a submit that is answered with %s has cost nothing and is rejected',
  (status) => {
    expect(submitFailure(answer(status, { detail: 'No such size.' }))).toEqual({
      state: 'failed',
      code: 'provider_rejected',
      message: 'No such size.',
      status,
    })
  },
)

test.each([401, 402, 403])(
  'a submit that is answered with %s shows what the vendor says of our account to the log, and to nobody else',
  (status) => {
    const failure = submitFailure(answer(status, { detail: 'Key r8_abc is disabled.' }))
    expect(failure).toMatchObject({ state: 'failed', code: 'provider_rejected', isAccountAtFault: true })
    expect(failure.message).not.toContain('r8_abc')
    expect(failure).toMatchObject({ cause: { message: 'Key r8_abc is disabled.' } })
    expect(submitFailure(answer(status))).not.toHaveProperty('cause')
  },
)

test.each([404, 410])('a submit that is answered with %s is not the fault of the task', (status) => {
  expect(submitFailure(answer(status, { detail: 'Gone.' }))).toMatchObject({
    state: 'failed',
    code: 'provider_rejected',
    message: 'Gone.',
    isAccountAtFault: true,
    status,
  })
})

test('the vendor’s error code overrides the HTTP status', () => {
  expect(submitFailure(answer(503, { detail: 'Full.' }), { isBusy: true })).toMatchObject({
    state: 'refused',
    message: 'Full.',
    status: 503,
  })
  for (const account of ['credentials', 'credit', 'locked', 'unverified'] as const)
    expect(submitFailure(answer(429), { account })).toMatchObject({ isAccountAtFault: true, status: 429 })
})

test.each([408, 500, 502, 503, 504, 302])('a submit that is answered with %s is ambiguous', (status) => {
  expect(() => submitFailure(answer(status, { message: 'Oops.' }))).toThrow(`status ${status}: Oops.`)
})

/** What Cloudflare itself answers to a client that does not ask for a page, from an API that it stands in front of. */
const edge = (status: number, text = `error code: ${status}\n`, server = 'cloudflare'): ReceivedAnswer => ({
  ...answer(status, undefined, { server }),
  text,
})

test.each([521, 523, 525])(
  'a submit that Cloudflare answers with %s has not reached the vendor and is sent again later',
  (status) => {
    const message = 'Cloudflare could not connect to the provider.'
    expect(submitFailure(edge(status))).toMatchObject({ state: 'refused', message, status })
  },
)

test.each<[string, ReceivedAnswer]>([
  ['520, after which the vendor may have it', edge(520)],
  ['522, which may also follow a connection', edge(522)],
  ['524, after the vendor got it', edge(524)],
  ['521 in the words of a gateway', { ...edge(521, '{"error":"error code: 521"}'), json: {} }],
  ['521 by another server', edge(521, undefined, 'nginx')],
  ['521 without a text', edge(521, '')],
])('a submit that is answered with %s is ambiguous', (_what, answered) => {
  expect(() => submitFailure(answered)).toThrow(`status ${answered.status}`)
})

test.each([400, 401, 402, 403, 408, 409, 422, 500, 503])(
  'a poll that is answered with %s leaves the task running',
  (status) => {
    expect(() => pollFailure(answer(status))).toThrow(`status ${status}`)
  },
)

test('a 404 of a poll is an unknown task, and a 410 a lost task', () => {
  expect(pollFailure(answer(404))).toMatchObject({ state: 'unknown' })
  expect(pollFailure(answer(410))).toMatchObject({ state: 'failed', code: 'provider_lost' })
})

test('a 429 is retried after its Retry-After', () => {
  const date = new Date(now + 60_000).toUTCString()
  const pauses: [Record<string, string>, number | undefined][] = [
    [{ 'retry-after': '7' }, 7000],
    [{ 'retry-after': '0.5' }, 500],
    [{ 'retry-after-ms': '1234', 'retry-after': '9' }, 1234],
    [{ 'retry-after': '864000' }, 864_000_000],
    [{ 'retry-after': 'soon' }, undefined],
    [{ 'retry-after': '-5' }, undefined],
    [{ 'retry-after': '2026' }, 2_026_000],
    [{}, undefined],
  ]
  for (const [headers, retryAfterMs] of pauses)
    for (const read of [submitFailure, pollFailure])
      expect(read(answer(429, undefined, headers))).toMatchObject({ state: 'refused', retryAfterMs })
  const dated = submitFailure(answer(429, undefined, { 'retry-after': date }))
  expect(dated).toMatchObject({ state: 'refused' })
  expect('retryAfterMs' in dated && dated.retryAfterMs).toBeGreaterThan(50_000)
  expect(submitFailure(answer(429, undefined, { 'retry-after': new Date(0).toUTCString() }))).toMatchObject({
    retryAfterMs: 0,
  })
})

test('the vendor’s words are read from other places of the answer where the usual place is empty', () => {
  const words = { message: 'Slow down.', retryAfterMs: 5000 }
  expect(submitFailure(answer(429), words)).toEqual({ state: 'refused', ...words, status: 429 })
  expect(pollFailure(answer(429, undefined, { 'retry-after': '7' }), words)).toMatchObject({
    retryAfterMs: 7000,
  })
  expect(submitFailure(answer(422, { detail: 'theirs' }), words)).toMatchObject({ message: 'Slow down.' })
})

test.each([
  [{ detail: 'a' }, 'a'],
  [
    { detail: [{ loc: ['body', 'input', 'seed'], msg: 'not a number' }, { msg: 'b' }] },
    'input.seed: not a number; b',
  ],
  [{ error: { message: 'a', code: 'x' } }, 'a'],
  [{ error: 'a' }, 'a'],
  [{ message: 'a' }, 'a'],
  [{ title: 'a' }, 'a'],
  [{ detail: [], error: { message: 'a' } }, 'a'],
  [{ detail: { nested: true } }, undefined],
  [null, undefined],
  ['text', undefined],
  [undefined, undefined],
])('the vendor’s words in %j are %j', (json, words) => {
  expect(messageOf(json)).toBe(words)
})

test('the error about a model that the vendor does not have names it and the vendor’s words', () => {
  const words = { modelName: 'Acme model acme/paintr' }
  const absent = (status: number, json: unknown, more: object = words) =>
    submitFailure(answer(status, json), more)
  expect(absent(404, { detail: 'Not found.' })).toMatchObject({
    code: 'provider_rejected',
    message: 'There is no Acme model acme/paintr: Not found.',
    status: 404,
  })
  expect(absent(404, undefined)).toMatchObject({ message: 'There is no Acme model acme/paintr.' })
  expect(absent(422, { detail: 'No.' }, { ...words, isAbsent: true })).toMatchObject({
    message: 'There is no Acme model acme/paintr: No.',
    status: 422,
  })
  expect(absent(422, { detail: 'No such size.' })).toMatchObject({ message: 'No such size.' })
})

test('the HTTP status goes to the log with every report and error', () => {
  expect(submitFailure(answer(402))).toMatchObject({ isAccountAtFault: true, status: 402 })
  expect(submitFailure(answer(429))).toMatchObject({ status: 429 })
  for (const [read, status] of [
    [submitFailure, 503],
    [pollFailure, 401],
  ] as const) {
    const thrown = (() => {
      try {
        return read(answer(status))
      } catch (error) {
        return error
      }
    })()
    expect(thrown).toMatchObject({ status })
  }
})

test('the words of a refused request reach the client from any field, from a plain text and from the title of a page', () => {
  const words = 'The size 7x7 is not one of ours'
  for (const json of [{ errors: [{ message: words }] }, { msg: words }, { base_resp: { status_msg: words } }])
    expect(submitFailure(answer(400, json)), JSON.stringify(json)).toMatchObject({
      message: expect.stringContaining(words),
    })
  for (const text of [words, `<html><head><title>${words}</title></head></html>`])
    expect(submitFailure({ ...answer(400), text })).toMatchObject({ message: words })
})

test('a refused request is content_policy by the vendor’s code or words, and else provider_rejected', () => {
  const codeOf = (json: unknown) => submitFailure(answer(400, json))
  for (const json of [
    { code: 'DataInspectionFailed', message: 'x' },
    { error: { message: 'Your prompt was blocked by our safety system' } },
  ])
    expect(codeOf(json)).toMatchObject({ state: 'failed', code: 'content_policy' })
  for (const message of [
    'There is no such model.',
    "Unknown parameter: 'moderation'.",
    'safety_settings.threshold: the safety setting must be one of OFF and BLOCK_NONE',
    'Unsupported content filter level',
  ])
    expect(codeOf({ error: { message } }), message).toMatchObject({ code: 'provider_rejected' })
})
