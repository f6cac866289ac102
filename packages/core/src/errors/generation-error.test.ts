import { expect, test } from 'vitest'
import { GenerationError, errorCodes } from '@genmount/core'

test('a GenerationError has a code of the table, and its message does not contain its cause', () => {
  const error = new GenerationError('store_unavailable', 'Try again.', { cause: new Error('disk 7 is full') })
  expect(errorCodes[error.code].status).toBe(503)
  expect(error.message).toBe('Try again.')
  expect((error.cause as Error).message).toBe('disk 7 is full')
})
