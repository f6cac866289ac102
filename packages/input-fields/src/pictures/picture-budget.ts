import { type FairQueue, fairQueue, sharedRoom } from '@genmount/core'

/** What the pictures of tasks may take of this process at a time, over all providers. */
export interface PictureBudget {
  readonly maxBytes: number
  /** What is taken at present. */
  readonly taken: { readonly tasks: number; readonly bytes: number }
  /**
   * Waits until there is room. The lines take turns, and within a line the owners, so that many tasks of one provider or one
   * owner do not keep the others' waiting. An owner that holds some of the budget gets no more than is left for all others.
   * Nobody else is overtaken by something smaller.
   * @throws RangeError when it asks for more than there is at all, or the reason of `signal` when that aborts
   */
  take(wish: BudgetWish, signal: AbortSignal): Promise<BudgetShare>
}

export interface BudgetWish {
  /** Whose line to wait in: the provider's name. */
  readonly line: string
  readonly bytes: number
  /** The task's. @default one owner */
  readonly owner?: string | undefined
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
  readonly owner: string
  readonly begin: () => void
}

export function pictureBudget(maxTasks: number, maxBytes: number): PictureBudget {
  const tasks = sharedRoom(maxTasks)
  const bytes = sharedRoom(maxBytes)
  /** The line whose turn is next comes first, as a Map keeps them. Empty ones stay: they know who was served last. */
  const lines = new Map<string, FairQueue<Waiter>>()
  const tasksOf = new Map<string, number>()
  const taken = {
    get tasks() {
      return tasks.held
    },
    get bytes() {
      return bytes.held
    },
  }

  function count(line: string, owner: string, task: 1 | -1, size: number): void {
    tasks.add(owner, task)
    bytes.add(owner, size)
    const left = (tasksOf.get(line) ?? 0) + task
    if (left === 0) tasksOf.delete(line)
    else tasksOf.set(line, left)
  }

  function isAllowed({ line, atOnce = Infinity, owner, bytes: size }: Waiter): boolean {
    return (tasksOf.get(line) ?? 0) < atOnce && tasks.mayHave(owner, 1) && bytes.mayHave(owner, size)
  }

  function serve(): void {
    for (const [name, waiting] of lines) {
      const next = waiting.first(isAllowed)
      if (!next) continue
      if (!tasks.fits(1) || !bytes.fits(next.bytes)) return
      waiting.next(isAllowed)
      count(name, next.owner, 1, next.bytes)
      lines.delete(name)
      // To the end, where the loop comes to it again.
      lines.set(name, waiting)
      next.begin()
    }
  }

  function lineOf(name: string): FairQueue<Waiter> {
    const line = lines.get(name) ?? fairQueue<Waiter>()
    lines.set(name, line)
    return line
  }

  function shareOf({ line, owner, bytes: wished }: Waiter): BudgetShare {
    let size = wished
    let isReleased = false
    const shrinkTo = (fewer: number): void => {
      if (fewer >= size || isReleased) return
      bytes.add(owner, fewer - size)
      size = fewer
      serve()
    }
    const release = (): void => {
      if (isReleased) return
      isReleased = true
      count(line, owner, -1, -size)
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
      const { line, owner = '' } = wish
      return new Promise<BudgetShare>((resolve, reject) => {
        const quit = (): void => {
          takeOut()
          reject(signal.reason)
          // Whoever is behind it may need less.
          serve()
        }
        const begin = (): void => {
          signal.removeEventListener('abort', quit)
          resolve(shareOf(waiter))
        }
        const waiter = { ...wish, owner, begin }
        const takeOut = lineOf(line).add(owner, waiter)
        signal.addEventListener('abort', quit)
        serve()
      })
    },
  }
}
