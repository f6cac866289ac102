import assert from 'node:assert/strict'
import { errorCodes, type ErrorCode } from '@genmount/core'
import type { Reply } from './reply.ts'

export interface ExpectedError {
  readonly param?: string
  /** The status, if it differs from the one in the table of codes. */
  readonly status?: number
}

/** Fails if the reply is not the error with this code: its body, status, type and headers are checked. */
export function expectError(reply: Reply | undefined, code: ErrorCode, expected: ExpectedError = {}): void {
  assert(reply, 'no answer')
  const row: { status: number; type: string; retryAfterSeconds?: number } = errorCodes[code]
  assert.equal(reply.status, expected.status ?? row.status, `${code} expected: ${reply.head} ${reply.text}`)
  assert.match(reply.headers.get('content-type') ?? '', /^application\/json\b/)
  const { error, ...rest } = JSON.parse(reply.text) as { error: Record<string, unknown> }
  assert.deepEqual(rest, {})
  assert.deepEqual(Object.keys(error), ['message', 'type', 'param', 'code', 'request_id'])
  assert(typeof error['message'] === 'string' && error['message'].length > 0, 'message')
  assert.equal(error['type'], row.type)
  assert.equal(error['code'], code)
  assert(error['param'] === null || typeof error['param'] === 'string', 'param')
  if (expected.param !== undefined) assert.equal(String(error['param']).toLowerCase(), expected.param)
  assert.equal(error['request_id'], reply.headers.get('x-request-id'))
  if (row.status === 401) assert.match(reply.headers.get('www-authenticate') ?? '', /^Bearer\b/)
  const retryAfter = row.retryAfterSeconds
  if (retryAfter !== undefined) assert.equal(reply.headers.get('retry-after'), String(retryAfter))
}

/** Fails if the reply is not an error with one of these codes. For requests for which the documents allow several. */
export function expectOneOf(
  reply: Reply | undefined,
  codes: readonly ErrorCode[],
  expected?: ExpectedError,
): void {
  const code = codeOf(reply)
  assert(
    codes.some((candidate) => candidate === code),
    `one of ${codes} expected: ${reply?.head} ${reply?.text}`,
  )
  expectError(reply, code as ErrorCode, expected)
}

/** The `code` of an error body, or `undefined` when the reply has no error body. */
export function codeOf(reply: Reply | undefined): string | undefined {
  try {
    return (JSON.parse(reply?.text ?? '') as { error?: { code?: string } }).error?.code
  } catch {
    return undefined
  }
}

/**
 * Whether the runtime has refused the request before any app could see it: with a 4xx of its own, by closing the
 * connection, or with 505, if it reads a part of a path with a space as the HTTP version.
 */
export function isRuntimeRefusal(reply: Reply | undefined): boolean {
  if (!reply) return true
  const isRefusal = (reply.status >= 400 && reply.status < 500) || reply.status === 505
  return isRefusal && !reply.headers.has('x-request-id')
}
