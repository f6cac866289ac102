import type { Clock } from '../contracts/clock.ts'
import { withinLimit } from '../pacing/within-limit.ts'
import { checkOwnerLimits, type Limits, type OwnerLimits } from './owner-limits.ts'
import { lastUsed } from '../lists/last-used.ts'

/** Returns the limits of an owner, and of one key of the owner. Rejects when the app's function has not returned any. */
export type LimitsOf = (owner: string, keyId?: string) => OwnerLimits | Promise<OwnerLimits>

/** How long a result of the app's function is reused, in milliseconds. */
const keptMs = 10_000
/** How long the app's function may take, in milliseconds. */
const limitMs = 10_000
/** The most owners and keys whose limits are kept in memory. */
const maxOwners = 10_000

/**
 * Makes the function that returns the limits of an owner. It calls the app's function at most once in 10 seconds for
 * each owner and key. While the app's function fails, there is one call at a time for each of them.
 */
export function limitsOf(limits: Limits, clock: Clock): LimitsOf {
  if (typeof limits !== 'function') return () => limits
  const recent = lastUsed<{ readonly limits: OwnerLimits; readonly at: number }>(maxOwners)

  const asking = new Map<string, Promise<OwnerLimits>>()

  async function ask(name: string, give: () => ReturnType<LimitsOf>): Promise<OwnerLimits> {
    const answer: unknown = await withinLimit(clock, limitMs, 'app’s limits', give)
    // `checkOwnerLimits` reads `undefined` as {}. So without this check, a function that forgets its `return` would remove
    // all limits.
    const checked = checkOwnerLimits('createGenerationService: limits(owner)', answer ?? null)
    recent.set(name, { limits: checked, at: clock.uptime() })
    return checked
  }

  return (owner, keyId) => {
    const name = JSON.stringify([owner, keyId])
    const entry = recent.get(name)
    if (entry && clock.uptime() - entry.at < keptMs) return entry.limits
    const answer =
      asking.get(name) ?? ask(name, () => limits(owner, keyId)).finally(() => asking.delete(name))
    asking.set(name, answer)
    return answer
  }
}
