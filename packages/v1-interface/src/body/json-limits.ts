import { GenerationError } from '@genmount/core'

/** How deeply the lists and objects of a request body may be nested. */
export const maxDepth = 64

/**
 * The limit for the bytes of a request body outside of its strings (numbers, brackets, white space) is this
 * number times the limit for its keys and values.
 */
export const maxBytesPerValue = 100

export function tooDeep(): GenerationError {
  return new GenerationError('invalid_request', `The request body may be nested at most ${maxDepth} levels.`)
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
  return new GenerationError('invalid_request', 'The request body may name its model only once.', {
    param: 'model',
  })
}
