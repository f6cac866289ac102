import type { JsonObject } from '../contracts/json.ts'
import type { Model } from '../contracts/provider.ts'
import { validateInput } from '../input/validate-input.ts'
import type { ResolvedInput } from '../contracts/service-plugin.ts'
import type { JobRequest } from './job-request.ts'
import type { CreateCalls } from '../plugins/create-calls.ts'

/** A valid input, as it will be stored. */
export interface ValidatedInput {
  readonly input: JsonObject
  /** Absent when no plugin has resolved anything in the input. */
  readonly mustLiveUntil?: ResolvedInput['mustLiveUntil']
}

/**
 * Validates the input of a create. The result does not keep the texts that stood for references in memory, which are as
 * long as the uploads, because the app may take half a minute to check the input.
 * @throws GenerationError as `validateInput` and the plugins do
 */
export function validatedInput(
  model: Model,
  { owner, input }: Pick<JobRequest, 'owner' | 'input'>,
  plugins: Pick<CreateCalls, 'resolveInput'>,
): ValidatedInput | Promise<ValidatedInput> {
  const resolving = plugins.resolveInput(owner, input)
  if (resolving) return checkedInput(model, resolving)
  const validated = validateInput(model, input)
  return validated instanceof Promise
    ? validated.then((checked) => ({ input: checked }))
    : { input: validated }
}

async function checkedInput(model: Model, resolving: Promise<ResolvedInput>): Promise<ValidatedInput> {
  const { input, restored, mustLiveUntil } = await resolving
  return { input: restored(await validateInput(model, input)), mustLiveUntil }
}
