import type { OutputKind, Model } from '../contracts/provider.ts'
import { accepts, type Check, optional, text } from '../errors/check-option.ts'
import { checkObject } from '../errors/check-options.ts'
import type { JsonObject } from '../contracts/json.ts'
import { validateInput } from '../input/validate-input.ts'
import { GenerationError } from '../errors/generation-error.ts'
import { isAmount } from '../pricing/price.ts'
import type { ResolvedInput } from '../contracts/plugin/plugin-inputs.ts'
import type { Reservation } from '../contracts/plugin/service-plugin.ts'
import type { CreateCalls } from '../plugins/create-calls.ts'

/** A request for a new job. */
export interface JobRequest {
  /** The owner of the bearer token. Only this owner can read the job. */
  readonly owner: string
  /**
   * A name for the key of the request, of 1 to 256 characters, by which the ledger counts what was spent. Never the key itself.
   * @default none
   */
  readonly keyId?: string | undefined
  /** The id of the model. */
  readonly model: string
  /**
   * The body without `model` and `metadata`, not validated yet: the input of the model, and the fields of plugins, such as
   * `webhook_url`, which are taken out before the model's schema checks the input.
   */
  readonly input: Readonly<Record<string, unknown>>
  /** The only kind of output that is accepted; other models are refused as `wrong_output_kind`. @default every kind */
  readonly outputKind?: OutputKind | undefined
  /**
   * The client's metadata of the job, not validated yet: up to 16 keys of 1 to 64 characters, with texts of up to 512
   * characters. It is stored with the job and never sent to a provider.
   * @default none
   */
  readonly metadata?: unknown
  /**
   * A limit that the request sets itself, beside those of the plugin `limits`: the job is refused as `insufficient_quota` if the
   * jobs of the key, or of the owner where the key has no id, would cost more than this in 24 hours, in US dollars. It never
   * allows more than the plugin does. Without the plugin the request is refused as `not_supported`.
   * @default only the limits of the plugin
   */
  readonly spendUsdPerDay?: number | undefined
  /** The idempotency key of the request. @default none: each request creates a job */
  readonly idempotency?: IdempotencyRequest | undefined
}

/** An idempotency key. It is unique within an owner and a scope: the same key in another scope is another key. */
export interface IdempotencyRequest {
  /** The key that the client has sent. */
  readonly key: string
  /** Where the key is valid. The /v1 interface uses the route of the request. */
  readonly scope: string
}

const checkOwner = text('the name of an owner')
const checkSpendLimit = optional(accepts<number>('US dollars of at least 0', isAmount))

/** Checks the id of a key: a name that every store can keep. */
export const checkKeyId: Check<string> = text(
  'a name for the key, of 1 to 256 characters and no control characters',
  /^[^\p{Cc}\p{Cs}]{1,256}$/u,
)

// Any text may come from a client, who is told which models there are.
const checkModel = text('the id of a model', () => true)

/**
 * Checks what an app that calls `create` itself can mistake. The values that come from a client are checked later, with
 * errors for the client.
 * @throws TypeError that names the wrong part of the request
 */
export function checkJobRequest(request: JobRequest): void {
  const { owner, keyId, model, input, spendUsdPerDay } = (request ?? {}) as Partial<
    Record<keyof JobRequest, unknown>
  >
  checkOwner('create: owner', owner)
  optional(checkKeyId)('create: keyId', keyId)
  checkModel('create: model', model)
  checkObject('create: input', input)
  checkSpendLimit('create: spendUsdPerDay', spendUsdPerDay)
}

/**
 * Refuses a request whose own limit nobody holds.
 * @param reservation what a plugin reserves for the job. A plugin that reserves goes by the limit of the request too
 * @throws GenerationError `not_supported`
 */
export function checkLimitHeld(
  { spendUsdPerDay }: Pick<JobRequest, 'spendUsdPerDay'>,
  reservation: Reservation | undefined,
): void {
  if (spendUsdPerDay === undefined || reservation) return
  const message = 'This service holds no limit on spending that a request sets: it needs the plugin limits.'
  throw new GenerationError('not_supported', message)
}

/** A valid input, as it will be stored. */
export interface ValidatedInput {
  readonly input: JsonObject
  /** Absent when no plugin has resolved anything in the input. */
  readonly mustLiveUntil?: ResolvedInput['mustLiveUntil'] | undefined
  /** See `ResolvedInput.awaitedUntil`. */
  readonly awaitedUntil?: number | undefined
}

/**
 * Validates the input of a create. The result does not keep the texts that stood for references in memory, which are as
 * long as the uploads, because the app may take half a minute to check the input.
 * @throws GenerationError as `validateInput` and the plugins do
 */
export function validatedInput(
  model: Model,
  owner: string,
  input: JobRequest['input'],
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
  const { input, restored, mustLiveUntil, awaitedUntil } = await resolving
  return { input: restored(await validateInput(model, input)), mustLiveUntil, awaitedUntil }
}
