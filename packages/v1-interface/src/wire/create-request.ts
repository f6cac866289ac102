import { GenerationError } from '@genmount/core'

/**
 * The body of a create: the fields `model` and, beyond the base interface, `metadata`. All other fields are the input,
 * which the schema of the model checks later.
 */
export interface CreateRequest {
  readonly model: string
  /** The client's metadata of the job. The service checks it. */
  readonly metadata?: unknown
  readonly [field: string]: unknown
}

/** Checks the parsed body of a create. @throws GenerationError `missing_field` or `invalid_request` */
export function createRequest(body: unknown): CreateRequest {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new GenerationError('invalid_request', 'The request body must be a JSON object.')
  const { model } = body as Partial<CreateRequest>
  if (typeof model === 'string') return body as CreateRequest
  throw model === undefined
    ? new GenerationError('missing_field', 'model is missing. It must name the model that makes the job.', {
        param: 'model',
      })
    : new GenerationError('invalid_request', 'model must be a string.', { param: 'model' })
}
