import { errorCodes, type ErrorCode } from '@genmount/core'

const header = (name: string) => ({ $ref: `#/components/headers/${name}` })
const headers = { 'x-request-id': header('x-request-id') }
const content = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } }

/** The answers to refused requests, one for each status, by the names `Error400` and so on. */
export const errorResponses = Object.fromEntries(
  Object.values(errorCodes).map(({ status }) => {
    const codes = Object.entries(errorCodes).filter(([, answer]) => answer.status === status)
    const isPassing = codes.some(([, { retryAfterSeconds }]) => retryAfterSeconds !== undefined)
    const retryAfter = isPassing && { 'retry-after': header('retry-after') }
    const counted = status === 429 && {
      ratelimit: header('ratelimit'),
      'ratelimit-policy': header('ratelimit-policy'),
    }
    const description = codes.map(([code]) => `\`${code}\``).join(', ')
    return [`Error${status}`, { description, headers: { ...headers, ...retryAfter, ...counted }, content }]
  }),
)

/** The responses of an operation that can refuse with these codes, by status. */
export function refusals(...codes: readonly ErrorCode[]) {
  const statuses = [...new Set(codes.map((code) => errorCodes[code].status))]
  return Object.fromEntries(
    statuses.map((status) => [status, { $ref: `#/components/responses/Error${status}` }]),
  )
}
