import { expect, test } from 'vitest'
import { GenerationError, errorCodes } from '@genmount/core'

test('a refusal carries a code of the table, and keeps its cause out of the message', () => {
  const error = new GenerationError('store_unavailable', 'Try again.', { cause: new Error('disk 7 is full') })
  expect(errorCodes[error.code].status).toBe(503)
  expect(error.message).toBe('Try again.')
  expect((error.cause as Error).message).toBe('disk 7 is full')
})
