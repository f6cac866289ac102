/** Counts what is under way, for those who wait until nothing is. */
export interface Tally {
  /** Something has begun. */
  begin(): void
  /** Something that had begun has ended. */
  end(): void
  /** Resolves as soon as nothing is under way. */
  settled(): Promise<void>
}

/** Makes a tally of nothing. */
export function tally(): Tally {
  let underWay = 0
  let waiting: (() => void)[] = []

  async function settled(): Promise<void> {
    if (underWay === 0) return
    await new Promise<void>((resolve) => waiting.push(resolve))
    // Something else may have begun since.
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
