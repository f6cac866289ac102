import type { JsonObject } from '../contracts/json.ts'
import type { Model } from '../contracts/provider.ts'
import type { PluginHost } from '../contracts/plugin/plugin-host.ts'
import type { ResolvedInput } from '../contracts/plugin/plugin-inputs.ts'
import type { JobPlace, NewJob, PluginHooks, Reservation } from '../contracts/plugin/service-plugin.ts'
import type { JobWebhook } from '../contracts/job-webhook.ts'
import { jsonCopy } from '../text/json-values.ts'
import { type AttachedPlugin, having } from './attached-plugins.ts'
import { checkPlace, checkWebhook, checkInput, checkResolved } from './check-answers.ts'
import { answerOf, attempt } from './plugin-fault.ts'
import type { Check } from '../errors/check-option.ts'
import type { Clock } from '../contracts/clock.ts'

/**
 * How long a plugin may take to admit a job, or to resolve the references of its input, in milliseconds. There is a limit
 * because a call that never settles would block the idempotency key of its request for ever.
 */
const admitLimitMs = 60_000

/** The places that plugins have given to one create. */
interface JobPlaces {
  /** The lowest number of unfinished jobs that a plugin allows the owner. `undefined` when none has a limit */
  readonly maxUnfinished: number | undefined
  /** What a plugin wants to be reserved for the job. `undefined` when none does */
  readonly reservation: Reservation | undefined
  /** What is left of its budgets with the job, by what is known now, in US dollars. */
  readonly remainingUsd: number | undefined
  /** Called with the id of the job before it is inserted. */
  inserts(jobId: string): void
  /** Called once, when the create is over. Never throws. @param isStored whether this create has stored the job */
  leave(isStored: boolean): void
}

type SentFields = Readonly<Record<string, unknown>>

/** The input of a create, not validated yet. */
export interface SentInput {
  readonly input: SentFields
  /** What the client has set in the fields of a plugin, by the plugin's names for them. `undefined` when it has set none */
  readonly fields: SentFields | undefined
}

/** The plugins of a service as its creates call them. */
export interface CreateCalls {
  readonly resolveInput: InputResolver
  /** Separates the fields of a plugin from the input of a create. */
  separated(body: SentFields): SentInput
  /** See `CreateFields.webhookOf`. */
  webhookOf(fields: SentFields): JobWebhook | undefined
  /** Absent when no plugin admits jobs. @throws what a plugin throws to refuse the job */
  readonly admit: ((create: NewJob) => Promise<JobPlaces>) | undefined
}

export function createCalls(
  plugins: readonly AttachedPlugin[],
  { clock, log }: Pick<PluginHost, 'clock' | 'log'>,
): CreateCalls {
  const admitting = having(plugins, 'admit')
  const [fielding] = having(plugins, 'createFields')

  /** Asks one plugin for a place. A place that it gives after its time is left. */
  async function onePlace(
    { name, call }: (typeof admitting)[number],
    create: NewJob,
  ): Promise<JobPlace | undefined> {
    let isOver = false
    const check: Check<JobPlace | undefined> = (at, value) => {
      const place = checkPlace(at, value)
      if (isOver && place) leaveAll([{ name, place }], undefined, false)
      return place
    }
    const question = { name, moment: 'admit', limitMs: admitLimitMs, check }
    return answerOf(clock, question, () => call(create)).catch((refusal: unknown) => {
      isOver = true
      throw refusal
    })
  }

  function leaveAll(places: readonly GivenPlace[], job: string | undefined, isStored: boolean): void {
    for (const { name, place } of places)
      attempt(log, { name, moment: 'leave', job }, () => place.leave?.(isStored))
  }

  async function admit(job: NewJob): Promise<JobPlaces> {
    const places: GivenPlace[] = []
    const create = new CopyingNewJob(job)
    try {
      for (const plugin of admitting) {
        const place = await onePlace(plugin, create)
        if (place) places.push({ name: plugin.name, place })
      }
      checkReservations(places)
    } catch (refusal) {
      leaveAll(places, undefined, false)
      throw refusal
    }
    const limits = places.flatMap(({ place: { maxUnfinished = [] } }) => maxUnfinished)
    const { reservation, remainingUsd } = places.find(({ place }) => place.reservation)?.place ?? {}
    let id: string | undefined
    return {
      reservation,
      remainingUsd,
      maxUnfinished: limits.length > 0 ? Math.min(...limits) : undefined,
      inserts(jobId) {
        id = jobId
        for (const { name, place } of places) {
          const done: unknown = place.inserts?.(jobId)
          if (done instanceof Promise) attempt(log, { name, moment: 'inserts', job: jobId }, () => done)
        }
      },
      leave: (isStored) => leaveAll(places, id, isStored),
    }
  }

  return {
    resolveInput: inputResolver(having(plugins, 'resolveInput'), clock),
    separated(body) {
      if (!fielding) return { input: body, fields: undefined }
      const input = { ...body }
      const fields: Record<string, unknown> = {}
      for (const [name, inBody] of Object.entries(fielding.call.names)) {
        if (Object.hasOwn(body, inBody)) fields[name] = body[inBody]
        delete input[inBody]
      }
      const isSet = Object.values(fields).some((value) => value !== undefined && value !== null)
      return { input, fields: isSet ? fields : undefined }
    },
    webhookOf(fields) {
      if (!fielding) return undefined
      const { name, call } = fielding
      const made: unknown = call.webhookOf(fields)
      // A promise is refused, and its rejection must not end the process.
      if (made instanceof Promise) made.catch(() => {})
      return checkWebhook(`The result of webhookOf of the plugin ${name}`, made)
    },
    admit: admitting.length > 0 ? admit : undefined,
  }
}

/** @throws Error when more than one plugin reserves what the job may cost: a job has one reservation */
function checkReservations(places: readonly GivenPlace[]): void {
  const [first, second] = places.filter(({ place }) => place.reservation)
  if (second)
    throw new Error(
      `The plugins ${first?.name} and ${second.name} both reserve the cost of a job; only one may.`,
    )
}

/** A place with the name of the plugin that has given it. */
interface GivenPlace {
  readonly name: string
  readonly place: JobPlace
}

/** A new job whose input is copied at each read, so that no plugin can change what will be stored. */
class CopyingNewJob implements NewJob {
  readonly owner: string
  readonly keyId: string | undefined
  readonly model: Model
  readonly spendUsdPerDay: number | undefined
  readonly isDryRun: boolean
  readonly #input: JsonObject

  constructor({ owner, keyId, model, input, spendUsdPerDay, isDryRun }: NewJob) {
    this.owner = owner
    this.keyId = keyId
    this.model = model
    this.spendUsdPerDay = spendUsdPerDay
    this.isDryRun = isDryRun
    this.#input = input
  }

  // A getter of the class: V8 would make a new hidden class for each object literal with a getter.
  get input(): JsonObject {
    return jsonCopy(this.#input) as JsonObject
  }
}

/** See `PluginHooks.resolveInput`. @returns `undefined` when no plugin replaces anything */
type InputResolver = (
  owner: string,
  input: Readonly<Record<string, unknown>>,
) => Promise<ResolvedInput> | undefined

/** A plugin that resolves references in inputs. */
interface Resolving {
  readonly name: string
  readonly call: NonNullable<PluginHooks['resolveInput']>
}

/** Makes the calls of the plugins that resolve inputs: each gets what the one before has made. */
function inputResolver(plugins: readonly Resolving[], clock: Clock): InputResolver {
  /** @returns `undefined` when the plugin has nothing to replace */
  function resolvedBy(
    { name, call }: Resolving,
    owner: string,
    input: JsonObject,
  ): Promise<ResolvedInput | undefined> | undefined {
    const resolving = call(owner, input)
    if (resolving === undefined) return undefined
    const question = { name, moment: 'resolveInput', limitMs: admitLimitMs, check: checkResolved }
    return answerOf(clock, question, () => resolving).then(
      (resolved) => resolved && { ...resolved, restored: checkedBy(name, resolved.restored) },
    )
  }

  return (owner, input) => {
    if (plugins.length === 0) return undefined
    let resolved: Promise<ResolvedInput> | undefined
    const copy = jsonCopy(input) as JsonObject
    for (const plugin of plugins) {
      const earlier = resolved
      if (earlier)
        resolved = earlier.then(async (before) => {
          const later = await resolvedBy(plugin, owner, before.input)
          return later ? both(before, later) : before
        })
      else resolved = resolvedBy(plugin, owner, copy)?.then((later) => later ?? unchanged(copy))
    }
    return resolved
  }
}

function checkedBy(name: string, restored: ResolvedInput['restored']): ResolvedInput['restored'] {
  return (validated) => checkInput(`The result of restored of the plugin ${name}`, restored(validated))
}

function unchanged(input: JsonObject): ResolvedInput {
  return { input, restored: (validated) => validated, mustLiveUntil() {} }
}

function both(earlier: ResolvedInput, later: ResolvedInput): ResolvedInput {
  const { restored: first } = earlier
  const { restored: second } = later
  return {
    input: later.input,
    restored: (validated) => first(second(validated)),
    mustLiveUntil: eachLife(earlier.mustLiveUntil, later.mustLiveUntil),
    awaitedUntil: earlier.awaitedUntil ?? later.awaitedUntil,
  }
}

/** A function of its own, because a closure that is made in `both` would keep the inputs in memory. */
function eachLife(
  first: ResolvedInput['mustLiveUntil'],
  second: ResolvedInput['mustLiveUntil'],
): ResolvedInput['mustLiveUntil'] {
  return (deadlineAt) => {
    first(deadlineAt)
    second(deadlineAt)
  }
}
