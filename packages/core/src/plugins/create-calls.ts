import type { Clock } from '../contracts/clock.ts'
import type { JsonObject } from '../contracts/json.ts'
import type { Model } from '../contracts/provider.ts'
import type { JobPlace, NewJob, PluginHooks, ResolvedInput } from '../contracts/service-plugin.ts'
import type { JobWebhook } from '../contracts/job-webhook.ts'
import type { WebhookWish } from '../contracts/webhooks.ts'
import { isWebhookWanted, noWebhooks } from '../input/webhook-wish.ts'
import { withinLimit } from '../pacing/within-limit.ts'
import { jsonCopy } from '../text/json-copy.ts'
import type { AttachedPlugin } from './attached-plugins.ts'

/**
 * How long a plugin may take to admit a job, in milliseconds. There is a limit because a call that never settles would
 * block the idempotency key of its request for ever.
 */
const admitLimitMs = 60_000

/** The places that plugins have given to one create. */
export interface JobPlaces {
  /** The lowest number of unfinished jobs that a plugin allows the owner. `undefined` when none has a limit */
  readonly maxUnfinished: number | undefined
  /** Called with the id of the job before it is inserted. */
  inserts(jobId: string): void
  /** Called once, when the create is over. @param isStored whether this create has stored the job */
  leave(isStored: boolean): void
}

/** The plugins of a service as its creates call them. */
export interface CreateCalls {
  /** See `PluginHooks.resolveInput`. @returns `undefined` when no plugin replaces anything */
  resolveInput(owner: string, input: Readonly<Record<string, unknown>>): Promise<ResolvedInput> | undefined
  /** @returns the webhook of a new job. @throws GenerationError for a wrong wish, and when no plugin sends webhooks */
  webhookOf(wish: WebhookWish | undefined): JobWebhook | undefined
  /** Absent when no plugin admits jobs. @throws what a plugin throws to refuse the job */
  readonly admit: ((owner: string, model: Model, input: JsonObject) => Promise<JobPlaces>) | undefined
}

/** Makes the calls of the plugins for creates. */
export function createCalls(plugins: readonly AttachedPlugin[], clock: Clock): CreateCalls {
  const resolving = having(plugins, 'resolveInput')
  const admitting = having(plugins, 'admit')
  const [webhooks] = having(plugins, 'webhookOf')

  async function admit(owner: string, model: Model, input: JsonObject): Promise<JobPlaces> {
    const places: JobPlace[] = []
    const create = new CopyingNewJob(owner, model, input)
    try {
      for (const { name, call } of admitting) {
        const what = `admit of the plugin ${name}`
        const place = await withinLimit(clock, admitLimitMs, what, async () => call(create))
        if (place) places.push(place)
      }
    } catch (refusal) {
      for (const place of places) place.leave?.(false)
      throw refusal
    }
    const limits = places.flatMap(({ maxUnfinished = [] }) => maxUnfinished)
    return {
      maxUnfinished: limits.length > 0 ? Math.min(...limits) : undefined,
      inserts(jobId) {
        for (const place of places) place.inserts?.(jobId)
      },
      leave(isStored) {
        for (const place of places) place.leave?.(isStored)
      },
    }
  }

  return {
    resolveInput(owner, input) {
      if (resolving.length === 0) return undefined
      let resolved: Promise<ResolvedInput> | undefined
      const given = jsonCopy(input) as JsonObject
      for (const { call } of resolving)
        resolved = resolved
          ? resolved.then((earlier) => both(earlier, call(owner, earlier.input)))
          : call(owner, given)
      return resolved
    },
    webhookOf(wish) {
      if (!isWebhookWanted(wish)) return undefined
      if (!webhooks) throw noWebhooks()
      return webhooks.call(wish ?? {})
    },
    admit: admitting.length > 0 ? admit : undefined,
  }
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

async function both(
  earlier: ResolvedInput,
  resolving: Promise<ResolvedInput> | undefined,
): Promise<ResolvedInput> {
  if (!resolving) return earlier
  const later = await resolving
  return {
    input: later.input,
    restored: (validated) => earlier.restored(later.restored(validated)),
    mustLiveUntil(deadlineAt) {
      earlier.mustLiveUntil(deadlineAt)
      later.mustLiveUntil(deadlineAt)
    },
  }
}

/** The plugins that have this function, with it. */
export function having<Name extends keyof PluginHooks>(
  plugins: readonly AttachedPlugin[],
  name: Name,
): readonly { readonly name: string; readonly call: NonNullable<PluginHooks[Name]> }[] {
  return plugins.flatMap(({ name: plugin, hooks }) => {
    const call = hooks[name]
    return call ? [{ name: plugin, call: call as NonNullable<PluginHooks[Name]> }] : []
  })
}
