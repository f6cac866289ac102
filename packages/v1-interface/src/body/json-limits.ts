import { GenerationError, type JsonFault, maxBytesPerJsonValue, maxJsonDepth } from '@genmount/core'

/** How many keys and values a request body may have, if no option says so. */
export const defaultMaxJsonValues = 10_000

export function tooDeep(): GenerationError {
  return new GenerationError(
    'invalid_request',
    `The request body may be nested at most ${maxJsonDepth} levels.`,
  )
}

export function tooMany(maxValues: number): GenerationError {
  return new GenerationError(
    'invalid_request',
    `The request body may have at most ${maxValues} keys and values.`,
  )
}

function tooSpacious(maxValues: number): GenerationError {
  return new GenerationError(
    'invalid_request',
    `The request body may have at most ${maxValues * maxBytesPerJsonValue} bytes outside of its strings.`,
  )
}

function twoModels(): GenerationError {
  return new GenerationError('invalid_request', 'The request body may name its model only once.', {
    param: 'model',
  })
}

/** Returns the function that has the error for a fault in the JSON text of a request body. */
export function bodyErrors(maxValues: number): (fault: JsonFault) => GenerationError {
  const errors = { tooDeep, tooMany, tooSpacious, twoModels }
  return (fault) => errors[fault](maxValues)
}
