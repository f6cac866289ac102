import { accepts, type Check, text } from '../errors/check-option.ts'
import { checkObject, checkOptions, type OptionTable } from '../errors/check-options.ts'
import type { JobRequest } from './generation-service.ts'

const ofClient: Check = (_name, value) => value

const table = {
  owner: text('the name of an owner'),
  model: accepts('the id of a model', (value) => typeof value === 'string'),
  input: checkObject,
  outputKind: ofClient,
  metadata: ofClient,
  webhook: ofClient,
  idempotency: ofClient,
} satisfies OptionTable<JobRequest>

/**
 * Checks what an app that calls `create` itself can mistake. The values that come from a client are checked later, with
 * errors for the client.
 * @throws TypeError that names the wrong part of the request
 */
export function checkJobRequest(request: JobRequest): void {
  const { owner, model, input } = (request ?? {}) as Partial<Record<keyof JobRequest, unknown>>
  // The table is only used for the error, because its check costs more than the rest of a create may.
  const isRight = typeof owner === 'string' && owner !== '' && typeof model === 'string'
  if (!isRight || typeof input !== 'object' || input === null) checkOptions('create', request, table)
}
