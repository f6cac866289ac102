import { GenerationError } from '@genmount/core'
import * as v from 'valibot'

/** The body of a create: `model` beside the model's own input, which the model's schema judges. */
const CreateRequest = v.looseObject({ model: v.string() })

export type CreateRequest = v.InferOutput<typeof CreateRequest>

/** @throws GenerationError `missing_field` or `invalid_request` */
export function createRequest(body: unknown): CreateRequest {
  if (Array.isArray(body)) throw notAnObject()
  const result = v.safeParse(CreateRequest, body)
  // Not its output: valibot leaves out fields called constructor and prototype, and the model is to name them.
  if (result.success) return body as CreateRequest
  const [issue] = result.issues
  if (!issue.path) throw notAnObject()
  const isMissing = issue.received === 'undefined'
  throw isMissing
    ? new GenerationError('missing_field', 'model is missing: it names the model that makes the job.', {
        param: 'model',
      })
    : new GenerationError('invalid_request', 'model must be a string.', { param: 'model' })
}

function notAnObject(): GenerationError {
  return new GenerationError('invalid_request', 'The request body must be a JSON object.')
}
