import { text } from '../errors/check-option.ts'
import { checkObject } from '../errors/check-options.ts'
import type { JobRequest } from './job-request.ts'

const checkOwner = text('the name of an owner')
// Any text may come from a client, who is told which models there are.
const checkModel = text('the id of a model', () => true)

/**
 * Checks what an app that calls `create` itself can mistake. The values that come from a client are checked later, with
 * errors for the client.
 * @throws TypeError that names the wrong part of the request
 */
export function checkJobRequest(request: JobRequest): void {
  const { owner, model, input } = (request ?? {}) as Partial<Record<keyof JobRequest, unknown>>
  checkOwner('create: owner', owner)
  checkModel('create: model', model)
  checkObject('create: input', input)
}
