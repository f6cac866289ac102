/** What the pictures of tasks may take of this process at a time, over all providers. */
export interface PictureBudget {
  readonly maxBytes: number
  /** What is taken at present. */
  readonly taken: { readonly tasks: number; readonly bytes: number }
  /**
   * Waits until there is room. The lines take turns, and within a line who came first goes first, so that many tasks of
   * one provider do not keep the others' waiting. Nobody is overtaken by something smaller.
   * @throws RangeError when it asks for more than there is at all, or the reason of `signal` when that aborts
   */
  take(wish: BudgetWish, signal: AbortSignal): Promise<BudgetShare>
}

export interface BudgetWish {
  /** Whose line to wait in: the provider's name. */
  readonly line: string
  readonly bytes: number
  /** How many tasks of this line may have a share at a time. @default all that find room */
  readonly atOnce?: number | undefined
}

export interface BudgetShare {
  /** Gives back all but so many bytes. */
  shrinkTo(bytes: number): void
  /** Gives everything back. Harmless when called again. */
  release(): void
}

interface Waiter extends BudgetWish {
  readonly begin: () => void
}

export function pictureBudget(maxTasks: number, maxBytes: number): PictureBudget {
  /** The line whose turn is next comes first, as a Map keeps them; none is empty. */
  const lines = new Map<string, Set<Waiter>>()
  const tasksOf = new Map<string, number>()
  const taken = { tasks: 0, bytes: 0 }

  function count(line: string, tasks: number, bytes: number): void {
    taken.tasks += tasks
    taken.bytes += bytes
    const left = (tasksOf.get(line) ?? 0) + tasks
    if (left === 0) tasksOf.delete(line)
    else tasksOf.set(line, left)
  }

  function leave(waiter: Waiter): void {
    const line = lines.get(waiter.line)
    line?.delete(waiter)
    if (line?.size === 0) lines.delete(waiter.line)
  }

  function nextWaiter(): Waiter | undefined {
    for (const [name, [first]] of lines) {
      if (first && (tasksOf.get(name) ?? 0) < (first.atOnce ?? Infinity)) return first
    }
    return undefined
  }

  function serve(): void {
    for (let next = nextWaiter(); next; next = nextWaiter()) {
      if (taken.tasks >= maxTasks || taken.bytes + next.bytes > maxBytes) return
      count(next.line, 1, next.bytes)
      leave(next)
      const others = lines.get(next.line)
      if (others) {
        lines.delete(next.line)
        lines.set(next.line, others)
      }
      next.begin()
    }
  }

  function shareOf({ line, bytes: wished }: BudgetWish): BudgetShare {
    let bytes = wished
    let isReleased = false
    const shrinkTo = (fewer: number): void => {
      if (fewer >= bytes || isReleased) return
      count(line, 0, fewer - bytes)
      bytes = fewer
      serve()
    }
    const release = (): void => {
      if (isReleased) return
      isReleased = true
      count(line, -1, -bytes)
      serve()
    }
    return { shrinkTo, release }
  }

  return {
    maxBytes,
    taken,
    async take(wish, signal) {
      signal.throwIfAborted()
      if (wish.bytes > maxBytes) throw new RangeError(`There are ${maxBytes} bytes at all.`)
      await new Promise<void>((resolve, reject) => {
        const quit = (): void => {
          leave(waiter)
          reject(signal.reason)
          // Whoever is behind it may need less.
          serve()
        }
        const begin = (): void => {
          signal.removeEventListener('abort', quit)
          resolve()
        }
        const waiter = { ...wish, begin }
        lines.set(wish.line, (lines.get(wish.line) ?? new Set<Waiter>()).add(waiter))
        signal.addEventListener('abort', quit)
        serve()
      })
      return shareOf(wish)
    },
  }
}
