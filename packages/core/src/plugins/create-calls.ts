import type { JsonObject } from '../contracts/json.ts'
import type { Model } from '../contracts/provider.ts'
import type { JobPlace, NewJob, PluginHost, Reservation } from '../contracts/service-plugin.ts'
import type { JobWebhook } from '../contracts/job-webhook.ts'
import type { WebhookWish } from '../contracts/webhooks.ts'
import { isWebhookWanted, noWebhooks } from '../input/webhook-wish.ts'
import { withinLimit } from '../pacing/within-limit.ts'
import { jsonCopy } from '../text/json-copy.ts'
import { type AttachedPlugin, having } from './attached-plugins.ts'
import { checkPlace, checkWebhook } from './check-answers.ts'
import { attempt } from './plugin-fault.ts'
import { type InputResolver, inputResolver } from './resolve-input.ts'

/**
 * How long a plugin may take to admit a job, in milliseconds. There is a limit because a call that never settles would
 * block the idempotency key of its request for ever.
 */
const admitLimitMs = 60_000

/** The places that plugins have given to one create. */
export interface JobPlaces {
  /** The lowest number of unfinished jobs that a plugin allows the owner. `undefined` when none has a limit */
  readonly maxUnfinished: number | undefined
  /** What a plugin wants to be reserved for the job. `undefined` when none does */
  readonly reservation: Reservation | undefined
  /** Called with the id of the job before it is inserted. */
  inserts(jobId: string): void
  /** Called once, when the create is over. Never throws. @param isStored whether this create has stored the job */
  leave(isStored: boolean): void
}

/** The plugins of a service as its creates call them. */
export interface CreateCalls {
  readonly resolveInput: InputResolver
  /** @returns the webhook of a new job. @throws GenerationError for a wrong wish, and when no plugin sends webhooks */
  webhookOf(wish: WebhookWish | undefined): JobWebhook | undefined
  /** Absent when no plugin admits jobs. @throws what a plugin throws to refuse the job */
  readonly admit: ((owner: string, model: Model, input: JsonObject) => Promise<JobPlaces>) | undefined
}

/** Makes the calls of the plugins for creates. */
export function createCalls(
  plugins: readonly AttachedPlugin[],
  { clock, log }: Pick<PluginHost, 'clock' | 'log'>,
): CreateCalls {
  const admitting = having(plugins, 'admit')
  const [webhooks] = having(plugins, 'webhookOf')

  /** Asks one plugin for a place. A place that it gives after its time is left. */
  async function onePlace(
    { name, call }: (typeof admitting)[number],
    create: NewJob,
  ): Promise<JobPlace | undefined> {
    const what = `admit of the plugin ${name}`
    let isOver = false
    const ask = async () => {
      const place = checkPlace(`The result of ${what}`, await call(create))
      if (isOver && place) leaveAll([{ name, place }], undefined, false)
      return place
    }
    return withinLimit(clock, admitLimitMs, what, ask).catch((refusal: unknown) => {
      isOver = true
      throw refusal
    })
  }

  function leaveAll(places: readonly GivenPlace[], job: string | undefined, isStored: boolean): void {
    for (const { name, place } of places)
      attempt(log, { name, moment: 'leave', job }, () => place.leave?.(isStored))
  }

  async function admit(owner: string, model: Model, input: JsonObject): Promise<JobPlaces> {
    const places: GivenPlace[] = []
    const create = new CopyingNewJob(owner, model, input)
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
    const reservation = places.find(({ place }) => place.reservation)?.place.reservation
    let id: string | undefined
    return {
      reservation,
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
    webhookOf(wish) {
      if (!isWebhookWanted(wish)) return undefined
      if (!webhooks) throw noWebhooks()
      const { name, call } = webhooks
      const made: unknown = call(wish ?? {})
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
  readonly model: Model
  readonly #input: JsonObject

  constructor(owner: string, model: Model, input: JsonObject) {
    this.owner = owner
    this.model = model
    this.#input = input
  }

  // A getter of the class: V8 would make a new hidden class for each object literal with a getter.
  get input(): JsonObject {
    return jsonCopy(this.#input) as JsonObject
  }
}
