import { GenerationError } from '@genmount/core'

/** How deeply the lists and objects of a request body may be nested. */
export const maxDepth = 64

/** How many bytes of numbers, brackets and white space a request body may have for each value that it may have. */
export const maxBytesPerValue = 100

export function tooDeep(): GenerationError {
  return new GenerationError(
    'invalid_request',
    `The request body may be nested at most ${maxDepth} levels deep.`,
  )
}

export function tooMany(maxValues: number): GenerationError {
  return new GenerationError(
    'invalid_request',
    `The request body may have at most ${maxValues} keys and values.`,
  )
}

export function tooSpacious(maxValues: number): GenerationError {
  return new GenerationError(
    'invalid_request',
    `The request body may have at most ${maxValues * maxBytesPerValue} bytes outside of its strings.`,
  )
}

export function twoModels(): GenerationError {
  return new GenerationError('invalid_request', 'The request body may name its model once.', {
    param: 'model',
  })
}
