import type { JsonObject } from '../contracts/json.ts'
import type { Model } from '../contracts/provider.ts'
import { validateInput } from '../input/validate-input.ts'
import type { InputUploads } from '../uploads/input-uploads.ts'
import type { JobRequest } from './generation-service.ts'
import type { ServiceUploads } from './service-uploads.ts'

/** A valid input, as it will be stored. */
export interface ValidatedTask {
  readonly task: JsonObject
  /** Absent when the input refers to no upload. */
  readonly mustLiveUntil?: InputUploads['mustLiveUntil']
}

/**
 * Validates the input of a create. The result does not keep the texts that stood for uploads in memory, which are as
 * long as the uploads, because the app may take half a minute to check the input.
 * @param uploads absent when clients can upload nothing
 * @throws GenerationError as `validateInput` and `inputUploads` do
 */
export function validatedTask(
  model: Model,
  { owner, input }: Pick<JobRequest, 'owner' | 'input'>,
  uploads: Pick<ServiceUploads, 'in'> | undefined,
): ValidatedTask | Promise<ValidatedTask> {
  const found = uploads?.in(owner, input)
  if (found) return withUploads(model, found)
  const validated = validateInput(model, input)
  return validated instanceof Promise ? validated.then((task) => ({ task })) : { task: validated }
}

async function withUploads(model: Model, found: Promise<InputUploads>): Promise<ValidatedTask> {
  const { input, restored, mustLiveUntil } = await found
  return { task: restored(await validateInput(model, input)), mustLiveUntil }
}
