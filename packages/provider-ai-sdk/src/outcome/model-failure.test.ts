import { expect, test } from 'vitest'
import { startFailure, statusFailure, toldFailure, toldStatus } from './model-failure.ts'

const scrub = (text: string) => text

/** An error without the class of this AI SDK, as a package with its own copy of the AI SDK throws it. */
const apiError = (statusCode: number | undefined, more: object = {}) =>
  Object.assign(new Error('The words of the SDK.'), {
    name: 'AI_APICallError',
    statusCode,
    url: 'https://acme.example/v1',
    requestBodyValues: { input: { prompt: 'a "fox"\nruns' } },
    isRetryable: true,
    ...more,
  })
const named = (name: string, message = 'Words.') => Object.assign(new Error(message), { name })
const prompt = 'a "fox"\nruns'
const poll = { requestBodyValues: {} }
const refusedConnection = Object.assign(new Error('connect'), { code: 'ECONNREFUSED', syscall: 'connect' })

test('an SDK error with a 4xx of the submit becomes a refused report', () => {
  const headers = { responseHeaders: { 'retry-after': '9' } }
  expect(startFailure(apiError(429, headers), scrub, { prompt })).toMatchObject({
    state: 'refused',
    retryAfterMs: 9000,
  })
  expect(startFailure(apiError(422), scrub, { prompt })).toMatchObject({ code: 'provider_rejected' })
})

test('a 429 is final where the SDK marks it as not retryable', () => {
  expect(startFailure(apiError(429, { isRetryable: false }), scrub)).toMatchObject({
    state: 'failed',
    code: 'provider_rejected',
  })
})

test('an SDK error of a later request leaves the outcome of the task unknown', () => {
  for (const status of [400, 404, 429])
    expect(() => startFailure(apiError(status, poll), scrub, { prompt })).toThrow('The words of the SDK.')
  const polledByPost = { requestBodyValues: { operationName: 'operations/1' } }
  expect(() => startFailure(apiError(429, polledByPost), scrub, { prompt })).toThrow()
})

test('an SDK error of a connection that was never made counts as not sent only during the submit', () => {
  const causeOf = (error: unknown, blocking?: { prompt: string }) => {
    try {
      return startFailure(error, scrub, blocking)
    } catch (thrown) {
      return (thrown as { cause?: { cause?: unknown } }).cause?.cause
    }
  }
  const first = apiError(undefined, { cause: refusedConnection })
  const later = apiError(undefined, { cause: refusedConnection, ...poll })
  expect(causeOf(first, { prompt })).toBe(refusedConnection)
  expect(causeOf(later)).toBe(refusedConnection)
  expect(causeOf(later, { prompt })).toBe(undefined)
})

test('an SDK error before any request was sent is a refused report', () => {
  for (const name of ['AI_InvalidArgumentError', 'AI_UnsupportedFunctionalityError', 'AI_LoadAPIKeyError'])
    expect(startFailure(named(name), scrub, { prompt })).toMatchObject({ code: 'provider_rejected' })
  const missing = startFailure(named('AI_LoadAPIKeyError', 'Set ACME_API_KEY.'), scrub)
  expect(missing.message).not.toContain('ACME')
})

test('a failure that the vendor reports fails the task, and a time-out of the SDK does not', () => {
  const failure = named('AI_InvalidResponseDataError', 'Image generation failed.')
  expect(startFailure(failure, scrub, { prompt })).toMatchObject({ code: 'provider_failed' })
  for (const error of [
    named('ACME_VIDEO_GENERATION_TIMEOUT'),
    named('Error', 'Image generation timed out after 120 attempts.'),
    named('AI_DownloadError'),
    'a text',
    null,
  ])
    expect(() => startFailure(error, scrub, { prompt })).toThrow()
})

test('a 404 of a poll is an unknown task, and any other error leaves it running', () => {
  expect(statusFailure(apiError(404), scrub)).toMatchObject({ state: 'unknown' })
  expect(toldStatus('failed with status "Task not found"')).toMatchObject({ state: 'unknown' })
  expect(toldStatus('Out of memory.')).toMatchObject({ code: 'provider_failed' })
  expect(statusFailure(apiError(429), scrub)).toMatchObject({ state: 'refused' })
  for (const error of [apiError(200), apiError(401), apiError(500), apiError(undefined), new TypeError('x')])
    expect(() => statusFailure(error, scrub)).toThrow()
})

test('a finished task without a video fails as output_invalid', () => {
  for (const words of ['No videos in response. Response: {"name":"x"}', 'No video URL in response'])
    expect(statusFailure(named('ACME_VIDEO_GENERATION_ERROR', words), scrub)).toEqual({
      state: 'failed',
      code: 'output_invalid',
      message: 'The provider has finished, but there is no output.',
    })
})

test.each([
  ['Blocked due to a content policy violation.', 'content_policy'],
  ['failed with status "Request Moderated"', 'content_policy'],
  ['failed with status "Task not found"', 'provider_lost'],
  ['completed but no video URL was returned.', 'output_invalid'],
  ['Out of memory.', 'provider_failed'],
])('%s is %s', (words, code) => {
  expect(toldFailure(words)).toMatchObject({ code })
})

test('a refusal that echoes the prompt does not become content_policy', () => {
  const responseBody = JSON.stringify({ detail: [{ msg: 'too long', input: 'a moderated nsfw talk' }] })
  expect(startFailure(apiError(422, { responseBody }), scrub)).toMatchObject({ code: 'provider_rejected' })
  const blocked = JSON.stringify({ error: { message: 'Rejected.', code: 'moderation_blocked' } })
  expect(startFailure(apiError(400, { responseBody: blocked }), scrub)).toEqual({
    state: 'failed',
    code: 'content_policy',
    message: 'Rejected.',
  })
})
