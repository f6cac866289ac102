import type { Clock } from '../contracts/clock.ts'
import type { Log } from '../contracts/log.ts'
import { upTo } from '../pacing/within-limit.ts'
import type { Stake, SubmitsUnderWay } from '../turns/submits-under-way.ts'

/** How often the log says what is at stake, in milliseconds. */
const tellEveryMs = 1000

/**
 * Waits for the answers to all submits under way, because each of them may have to be paid for. Each second, the log says
 * how many there are and what they cost. Each submit ends by itself when its provider's `callTimeoutMs` has passed.
 * @param limitMs how long to wait at most, in milliseconds
 */
export async function awaitSubmits(
  { clock, log, submits }: { readonly clock: Clock; readonly log: Log; readonly submits: SubmitsUnderWay },
  limitMs: number,
): Promise<void> {
  const endsAt = clock.uptime() + limitMs
  for (;;) {
    const stake = submits.stake()
    const leftMs = endsAt - clock.uptime()
    if (stake.submits === 0 || leftMs <= 0) return
    const longestMs = Math.min(stake.longestMs, leftMs)
    log.warn(
      `The service is closing and waits for the answers to ${stake.submits} submits, ${priceOf(stake)}, for at most ${Math.ceil(Math.max(0, longestMs) / 1000)} s more.`,
    )
    await upTo(clock, Math.min(tellEveryMs, leftMs), submits.settled())
  }
}

function priceOf({ submits, usd, unpriced }: Stake): string {
  if (unpriced === submits) return 'whose price is not known'
  const costWords = `which cost ${rounded(usd)} USD`
  return unpriced === 0 ? costWords : `${costWords} without the ${unpriced} whose price is not known`
}

/** Sums of US dollars are not exact. */
function rounded(usd: number): number {
  return Math.round(usd * 1e6) / 1e6
}
