import { ownFigures } from '../attacks/server/own-figures.ts'

/**
 * The longest time for which the event loop did nothing else than a part of `run`, in milliseconds. Only the time counts
 * in which this process was computing.
 */
export async function longestBlockOf(run: () => Promise<unknown>): Promise<number> {
  const { reset, now: figures, end } = ownFigures()
  try {
    await new Promise((resolve) => setTimeout(resolve, 20))
    reset()
    await run()
    await new Promise((resolve) => setTimeout(resolve, 20))
    return figures().loopDelayMs.max
  } finally {
    end()
  }
}

/** How many turns the event loop had while `run` was under way. */
export async function turnsOf(run: () => Promise<unknown>): Promise<number> {
  let turns = 0
  const count = setInterval(() => turns++, 1)
  try {
    await run()
    return turns
  } finally {
    clearInterval(count)
  }
}
