import { GenerationError } from '@genmount/core'
import * as v from 'valibot'

/**
 * The body of a create: the field `model`, and beside it the input, which the schema of the model checks
 * later.
 */
const CreateRequest = v.looseObject({ model: v.string() })

export type CreateRequest = v.InferOutput<typeof CreateRequest>

/** Checks the parsed body of a create. @throws GenerationError `missing_field` or `invalid_request` */
export function createRequest(body: unknown): CreateRequest {
  if (Array.isArray(body)) throw notAnObject()
  const result = v.safeParse(CreateRequest, body)
  // Not `result.output`, from which valibot removes fields named constructor and prototype: the schema of the
  // model has to see them, so that it can name them when it refuses them.
  if (result.success) return body as CreateRequest
  const [issue] = result.issues
  if (!issue.path) throw notAnObject()
  const isMissing = issue.received === 'undefined'
  throw isMissing
    ? new GenerationError('missing_field', 'model is missing. It must name the model that makes the job.', {
        param: 'model',
      })
    : new GenerationError('invalid_request', 'model must be a string.', { param: 'model' })
}

function notAnObject(): GenerationError {
  return new GenerationError('invalid_request', 'The request body must be a JSON object.')
}
