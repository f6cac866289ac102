import type { Setback } from '../contracts/job.ts'
import type { JsonObject } from '../contracts/json.ts'
import type { OutputChange, OutputObjection, OutputReading } from '../contracts/plugin/output-change.ts'
import type { ResolvedInput, SubmitInput } from '../contracts/plugin/plugin-inputs.ts'
import type { JobPlace, PluginSweep, Reservation } from '../contracts/plugin/service-plugin.ts'
import type { JobWebhook } from '../contracts/job-webhook.ts'
import { accepts, callable, type Check, listOf, optional, text } from '../errors/check-option.ts'
import { jsonCopy } from '../text/json-values.ts'
import { isAmount } from '../pricing/price.ts'

// What a plugin returns is checked where it arrives: a wrong value that went on would cost a job, its input or its outputs.

type Fields = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !('then' in value)
export const isFunction = (value: unknown) => typeof value === 'function'
export const isText = (value: unknown) => typeof value === 'string' && value !== ''
const isAbsentOr = (is: (value: unknown) => boolean) => (value: unknown) => value === undefined || is(value)
const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 1

/** A check of an answer that is an object. @param isRight checks its fields */
export function answer<Value>(words: string, isRight: (fields: Fields) => boolean): Check<Value> {
  return accepts<Value>(words, (value) => isObject(value) && isRight(value))
}

const isReservation = (value: unknown) => {
  if (!isObject(value)) return false
  const { usd, budgets, refusal, leftUsd } = value
  return (
    isAmount(usd) &&
    isFunction(refusal) &&
    isFunction(leftUsd) &&
    Array.isArray(budgets) &&
    budgets.every(isBudget)
  )
}
const isBudget = (value: unknown) =>
  isObject(value) && [value['mostMicroUsd'], value['from'], value['costsFrom']].every(Number.isSafeInteger)

/** Checks what `reserve` returns. */
export const checkReservation: Check<Reservation | undefined> = optional(
  accepts<Reservation>('a reservation, or nothing', isReservation),
)

/** Checks what `admit` returns. */
export const checkPlace: Check<JobPlace | undefined> = optional(
  answer<JobPlace>(
    'a place of the job, or nothing',
    ({ maxUnfinished, reservation, remainingUsd, inserts, leave }) =>
      isAbsentOr(isCount)(maxUnfinished) &&
      isAbsentOr(isReservation)(reservation) &&
      isAbsentOr(isAmount)(remainingUsd) &&
      isAbsentOr(isFunction)(inserts) &&
      isAbsentOr(isFunction)(leave),
  ),
)

/** Checks what `resolveInput` resolves to. */
export const checkResolved: Check<ResolvedInput | undefined> = optional(
  answer<ResolvedInput>(
    'an object with input, restored() and mustLiveUntil(), or nothing',
    ({ input, restored, mustLiveUntil, awaitedUntil }) =>
      isObject(input) &&
      isFunction(restored) &&
      isFunction(mustLiveUntil) &&
      isAbsentOr(Number.isFinite)(awaitedUntil),
  ),
)

/** Checks an input that a plugin has made. */
export const checkInput: Check<JsonObject> = accepts('the object of an input', isObject)

/** Checks what `webhookOf` returns. */
export const checkWebhook: Check<JobWebhook | undefined> = optional(
  answer<JobWebhook>(
    'a webhook with url and events, or nothing',
    ({ url, events }) => isText(url) && Array.isArray(events) && events.every(isText),
  ),
)

/** The type makes this name each reason there is. */
const reasons: Readonly<Record<Setback['why'], true>> = {
  busy: true,
  unreached: true,
  no_answer: true,
  account: true,
  unknown_task: true,
  no_output: true,
  files: true,
  input: true,
}
const isReason = (why: unknown) => typeof why === 'string' && Object.hasOwn(reasons, why)

/** Checks what `awaitsInput` resolves to. */
export const checkAwaited: Check<number | undefined> = optional(
  accepts<number>('an instant in milliseconds, or nothing', Number.isFinite),
)

/** Checks what `submitInput` resolves to. */
export const checkSubmitInput: Check<SubmitInput | undefined> = optional(
  answer<SubmitInput>('{ input, letGo }, { gone }, { later } or nothing', ({ input, letGo, gone, later }) => {
    if (gone !== undefined) return isText(gone)
    if (later !== undefined) return isObject(later) && isAbsentOr(isReason)(later['why'])
    return isObject(input) && isFunction(letGo)
  }),
)

/** Checks what `checkOutputs` resolves to. Whatever is no objection and not `undefined` does not allow the outputs. */
export const checkObjection: Check<OutputObjection | undefined> = optional(
  answer<OutputObjection>(
    "{ code: 'content_policy' or 'service_failed', message }, or nothing",
    ({ code, message }) => (code === 'content_policy' || code === 'service_failed') && isText(message),
  ),
)

/** Checks what `changeOutput` returns. */
export const checkChanges: Check<readonly OutputChange[]> = optional(
  listOf('a list of functions, or nothing', callable<OutputChange>()),
  [],
)

/** Checks what `readOutput` returns. */
export const checkReading: Check<OutputReading | undefined> = optional(
  answer<OutputReading>(
    'an object with read() and facts(), or nothing',
    ({ read, facts }) => isFunction(read) && isFunction(facts),
  ),
)

/** Checks what `facts` of a reading returns. @returns a copy */
export const checkFacts: Check<JsonObject | undefined> = optional((name, value) => {
  if (isObject(value)) return jsonCopy(value) as JsonObject
  throw new TypeError(`${name} must be a JSON object, or nothing.`)
})

/** Checks what `vendorCallbacks.urlOf` resolves to. */
export const checkUrl: Check<string | undefined> = optional(text('a URL', URL.canParse))

/** Checks the pause that a look of a sweep returns, in milliseconds. */
export const checkPause: Check<number> = accepts(
  'a number of milliseconds',
  (value) => Number.isFinite(value) && (value as number) >= 0,
)

/** Checks the sweep of a plugin. */
export const checkSweep: Check<PluginSweep> = answer(
  'an object with what and look()',
  ({ what, look }) => isText(what) && isFunction(look),
)
