/** Counts the work under way, so that a caller can wait until none is left. */
export interface Tally {
  /** Records that a piece of work has begun. */
  begin(): void
  /** Records that a piece of work has ended. */
  end(): void
  /** Resolves as soon as no work is under way. */
  settled(): Promise<void>
}

export function tally(): Tally {
  let underWay = 0
  let waiting: (() => void)[] = []

  async function settled(): Promise<void> {
    if (underWay === 0) return
    await new Promise<void>((resolve) => waiting.push(resolve))
    // New work may have begun since.
    return settled()
  }

  return {
    begin() {
      underWay++
    },
    end() {
      underWay--
      if (underWay > 0) return
      const waited = waiting
      waiting = []
      for (const resolve of waited) resolve()
    },
    settled,
  }
}
