import { setTimeout as pause } from 'node:timers/promises'
import { ownFigures } from '../attacks/server/own-figures.ts'

/**
 * The longest time for which the event loop did nothing else than a part of `run`, in milliseconds. Only the time counts
 * in which this process was computing.
 */
export async function longestBlockOf(run: () => Promise<unknown>): Promise<number> {
  const { reset, now: figures, end } = ownFigures()
  await pause(20)
  reset()
  await run()
  await pause(20)
  const { max } = figures().loopDelayMs
  end()
  return max
}

/** How many turns the event loop had while `run` was under way. */
export async function turnsOf(run: () => Promise<unknown>): Promise<number> {
  let turns = 0
  const count = setInterval(() => turns++, 1)
  await run()
  clearInterval(count)
  return turns
}
