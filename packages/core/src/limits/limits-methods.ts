import { grantWords, isGrantAmount } from '../pricing/micro-usd.ts'
import type { Grant, GrantQuery, JobStore } from '../contracts/storage/job-store.ts'
import type { PluginHost } from '../contracts/plugin/plugin-host.ts'
import { accepts, count, isInstant, optional, text } from '../errors/check-option.ts'
import { checkOptions, type OptionTable } from '../errors/check-options.ts'
import { GenerationError } from '../errors/generation-error.ts'
import { randomUuid } from '../job/job-id.ts'
import type { LimitsOf } from './limits-of.ts'
import type { OwnerLimits } from './owner-limits.ts'

/** Why an owner is granted something. */
export interface GrantOptions {
  /** Who grants it, such as a person or the id of a payment service: at most 200 characters. */
  readonly by: string
  /** Why it is granted, such as the number of an invoice: at most 1000 characters. */
  readonly why: string
  /**
   * Makes the grant one that is made once: a second call with this id changes nothing, so it can be repeated after an error. At
   * most 200 characters. @default a random id
   */
  readonly id?: string | undefined
}

/** Selects grants for `grants` of the service. */
export interface GrantRequest extends Omit<GrantQuery, 'limit'> {
  /** The most grants on one page: a whole number from 1 to 1000. @default 100 */
  readonly limit?: number | undefined
}

/** One page of grants. */
export interface GrantPage {
  /** The grants, the earliest first. */
  readonly grants: readonly Grant[]
  /** The `after` of the next page. Absent when this page is the last one. */
  readonly next?: GrantQuery['after']
}

/** What the plugin `limits` adds to the service. */
export interface LimitsMethods {
  /**
   * Says which limits an owner has now, by the `limits` of the app.
   * @example const { spendUsdPerDay } = await service.limitsOf('alice')
   * @throws the error of the app's function
   */
  limitsOf(owner: string): Promise<OwnerLimits>

  /**
   * Adds to the `balance` of an owner, or takes from it. It counts from the next create on, in all processes.
   * @param usd how much to add, in US dollars, rounded to a millionth; less than 0 for a correction. A million at most
   * @returns the grant, or the earlier grant with the same id
   * @example await service.grant('alice', 10, { by: 'shop', why: 'order 1047', id: 'order-1047' })
   * @throws TypeError when the amount or another part is wrong, or an earlier grant with the same `id` has another owner or
   *   amount; GenerationError `store_unavailable`, `not_supported` over a job store without
   *   grants, or `shutting_down` after `close`
   */
  grant(owner: string, usd: number, options: GrantOptions): Promise<Grant>

  /**
   * Reads the grants of an owner, or of all owners, in pages.
   * @example const { grants, next } = await service.grants({ owner: 'alice' })
   * @throws TypeError when the request is wrong; GenerationError as `grant`
   */
  grants(request?: GrantRequest): Promise<GrantPage>
}

const checkOwner = text('the name of an owner')
const shortText = (most: number) =>
  text(
    `a text of 1 to ${most} characters, without the character NUL`,
    (value) => value.trim() !== '' && value.length <= most && value.isWellFormed() && !value.includes('\0'),
  )

const checkUsd = accepts<number>(grantWords, isGrantAmount)

const grantTable = {
  by: shortText(200),
  why: shortText(1000),
  id: optional(shortText(200)),
} satisfies OptionTable<GrantOptions>

const requestTable = {
  owner: optional(checkOwner),
  after: optional(accepts<NonNullable<GrantQuery['after']>>('`next` of the page before', isPlace)),
  limit: optional(count(1, 1000), 100),
} satisfies OptionTable<GrantRequest>

type Grants = Required<Pick<JobStore, 'grant' | 'grants'>>

/** Makes the methods `limitsOf`, `grant` and `grants`. */
export function limitsMethods(
  { jobs, clock, start }: Pick<PluginHost, 'clock' | 'jobs' | 'start'>,
  limitsFor: LimitsOf,
): LimitsMethods {
  const store = (): Grants => {
    start()
    const { grant, grants } = jobs
    if (grant && grants) return { grant, grants }
    throw new GenerationError(
      'not_supported',
      'The job store keeps no grants: it has no grant() and grants().',
    )
  }
  return {
    limitsOf: async (owner) => limitsFor(checkOwner('limitsOf: owner', owner)),

    async grant(owner, usd, options) {
      checkOwner('grant: owner', owner)
      const exact = Math.round(checkUsd('grant: usd', usd) * 1e6) / 1e6
      const { id = randomUuid(), by, why } = checkOptions('grant', options, grantTable)
      const grant = await store().grant({ id, owner, usd: exact, by, why, grantedAt: clock.now() })
      if (grant.owner !== owner || grant.usd !== exact)
        throw new TypeError(
          `grant: id ${JSON.stringify(id)} is that of an earlier grant, of ${grant.usd} US dollars to ${JSON.stringify(grant.owner)}.`,
        )
      return grant
    },

    async grants(request = {}) {
      const { limit, ...query } = checkOptions('grants', request, requestTable)
      const page = await store().grants({ ...query, limit: limit + 1 })
      const grants = page.slice(0, limit)
      const last = grants.at(-1)
      return {
        grants,
        ...(page.length > limit && last && { next: { id: last.id, grantedAt: last.grantedAt } }),
      }
    },
  }
}

function isPlace(value: unknown): boolean {
  const { id, grantedAt } = (value ?? {}) as Partial<Grant>
  return typeof id === 'string' && isInstant(grantedAt)
}
