import { type FairQueue, fairQueue, sharedRoom } from '@genmount/core'

/** How many tasks of this process may hold pictures at the same time, and how many bytes, over all providers. */
export interface PictureBudget {
  readonly maxBytes: number
  /** How many tasks hold pictures at present, and the bytes that are reserved for them. */
  readonly taken: { readonly tasks: number; readonly bytes: number }
  /**
   * Waits until there is room. The lines take turns, and the owners within a line take turns, so that many tasks of one
   * provider or one owner do not delay all others. An owner that already holds a part of the budget gets more only if
   * at least as much stays free for the others as this owner then holds. Except for that limit and `atOnce`, a smaller
   * request never overtakes a larger one.
   * @throws RangeError when more bytes are requested than the whole budget has
   * @throws the reason of `signal`, when `signal` aborts
   */
  take(wish: BudgetWish, signal: AbortSignal): Promise<BudgetShare>
}

export interface BudgetWish {
  /** The line to wait in, which is the provider's name. */
  readonly line: string
  readonly bytes: number
  /** The owner of the task. @default tasks without an owner count as one owner */
  readonly owner?: string | undefined
  /** How many tasks of this line may hold a share at the same time. @default as many as fit */
  readonly atOnce?: number | undefined
}

export interface BudgetShare {
  /** Gives back all but this many bytes. */
  shrinkTo(bytes: number): void
  /** Gives the whole share back. Further calls do nothing. */
  release(): void
}

interface Waiter extends BudgetWish {
  readonly owner: string
  readonly begin: () => void
}

export function pictureBudget(maxTasks: number, maxBytes: number): PictureBudget {
  const tasks = sharedRoom(maxTasks)
  const bytes = sharedRoom(maxBytes)
  /**
   * The line whose turn is next comes first, because a Map keeps its order. Empty lines stay, because they remember
   * which owner was served last.
   */
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
      // Moves the line to the end of the Map. The loop reaches it again there.
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
      if (wish.bytes > maxBytes) throw new RangeError(`The whole budget has ${maxBytes} bytes.`)
      const { line, owner = '' } = wish
      return new Promise<BudgetShare>((resolve, reject) => {
        const quit = (): void => {
          takeOut()
          reject(signal.reason)
          // The next waiter may need less room than the one that has left.
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
