import { type Clock, fairQueue, GenerationError, sharedRoom } from '@genmount/core'

/** How many conversions may be under way or wait. Those that wait hold no picture in memory. */
const maxConversions = 200
/** How long a conversion may wait for its turn, in milliseconds. */
const maxWaitMs = 60_000

/** Runs a few conversions at a time. The others wait, and their owners take turns. */
export interface ConversionTurns {
  /**
   * Runs `work` when its turn comes.
   * @throws GenerationError `capacity_exceeded` when too many wait, the owner has its share of those that wait, or
   *   its turn has not come after a minute
   */
  run<Result>(owner: string, work: () => Promise<Result>): Promise<Result>
}

/** @param atATime how many conversions run at the same time */
export function conversionTurns(clock: Clock, atATime: number): ConversionTurns {
  const room = sharedRoom(maxConversions)
  const waiting = fairQueue<() => void>()
  let free = atATime

  async function enter(owner: string): Promise<void> {
    if (free > 0) {
      free--
      return waiting.passed(owner)
    }
    await new Promise<void>((resolve, reject) => {
      const cancelTimer = clock.after(maxWaitMs, () => {
        takeOut()
        reject(tooMany())
      })
      const takeOut = waiting.add(owner, () => {
        cancelTimer()
        resolve()
      })
    })
  }

  function leave(): void {
    const next = waiting.next()
    if (next) next()
    else free++
  }

  return {
    async run(owner, work) {
      if (!room.fits(1) || !room.mayHave(owner, 1)) throw tooMany()
      room.add(owner, 1)
      try {
        await enter(owner)
        try {
          return await work()
        } finally {
          leave()
        }
      } finally {
        room.add(owner, -1)
      }
    },
  }
}

function tooMany(): GenerationError {
  return new GenerationError('capacity_exceeded', 'Too many pictures are being converted. Try again.')
}
