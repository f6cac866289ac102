import type { Job } from '../contracts/job.ts'
import { append, type Linked, type LinkedList, moveToEnd, takeOut } from '../sharing/linked-list.ts'

/** Jobs without a step left, which make room for new ones. */
export interface RestingJobs {
  readonly count: number
  readonly bytes: number
  peek(id: string): Job | undefined
  /** The job, which counts as read now. */
  read(id: string): Job | undefined
  /** @param bytes how much room it takes */
  add(job: Job, bytes: number): void
  remove(id: string): void
  /**
   * Takes a job out to make room: of the owner with the largest share, the least recently read one. Shares that differ by
   * less than a fifth count as equal: then it is the owner who has neither read nor finished a job for the longest time.
   */
  takeOne(): Job | undefined
}

/** What one owner has at rest. */
interface Holding extends Linked<Holding> {
  readonly owner: string
  /** The least recently read one comes first. */
  readonly jobs: LinkedList<Resting>
  count: number
  bytes: number
  level: Level | undefined
}

/** Those who have about as much at rest. The one who has neither read nor finished a job for the longest time comes first. */
interface Level extends LinkedList<Holding> {
  readonly height: number
}

interface Resting extends Linked<Resting> {
  readonly job: Job
  readonly bytes: number
  readonly holding: Holding
}

/** How many levels there are from a share to its double. */
const levelsPerDoubling = 4

/** An owner's share is that of the jobs or that of the bytes, whichever is larger. */
export function restingJobs({ maxJobs, maxBytes }: { maxJobs: number; maxBytes: number }): RestingJobs {
  const byId = new Map<string, Resting>()
  const byOwner = new Map<string, Holding>()
  /** Some hundred at most, so that nobody has to look for the largest share among those of all owners. */
  const levels = new Map<number, Level>()
  let bytesOfAll = 0

  function levelOf({ count, bytes }: Holding): Level | undefined {
    if (count === 0) return undefined
    const share = Math.max(count / maxJobs, bytes / maxBytes)
    const height = Math.floor(levelsPerDoubling * Math.log2(share))
    const known = levels.get(height)
    if (known) return known
    const made = { height }
    levels.set(height, made)
    return made
  }

  /** Puts what the owner has into the level of its size, unless it is there. */
  function file(holding: Holding): void {
    const { level: before, owner } = holding
    const level = levelOf(holding)
    if (level === before) return
    if (before) takeOut(before, holding)
    if (before && !before.first) levels.delete(before.height)
    holding.level = level
    if (level) append(level, holding)
    else byOwner.delete(owner)
  }

  function holdingOf(owner: string): Holding {
    const known = byOwner.get(owner)
    if (known) return known
    const made: Holding = { owner, jobs: {}, count: 0, bytes: 0, level: undefined }
    byOwner.set(owner, made)
    return made
  }

  function remove(id: string): void {
    const resting = byId.get(id)
    if (!resting) return
    const { bytes, holding } = resting
    byId.delete(id)
    bytesOfAll -= bytes
    takeOut(holding.jobs, resting)
    holding.count--
    holding.bytes -= bytes
    file(holding)
  }

  /** Puts the job behind the owner's others, and the owner behind those of the same level. */
  function touch(resting: Resting): void {
    const { holding } = resting
    moveToEnd(holding.jobs, resting)
    if (holding.level) moveToEnd(holding.level, holding)
  }

  return {
    get count() {
      return byId.size
    },
    get bytes() {
      return bytesOfAll
    },

    peek: (id) => byId.get(id)?.job,

    read(id) {
      const resting = byId.get(id)
      if (resting) touch(resting)
      return resting?.job
    },

    add(job, bytes) {
      remove(job.id)
      const holding = holdingOf(job.owner)
      const resting: Resting = { job, bytes, holding, before: undefined, after: undefined }
      byId.set(job.id, resting)
      bytesOfAll += bytes
      append(holding.jobs, resting)
      holding.count++
      holding.bytes += bytes
      file(holding)
      touch(resting)
    },

    remove,

    takeOne() {
      const resting = levels.get(Math.max(...levels.keys()))?.first?.jobs.first
      if (resting) remove(resting.job.id)
      return resting?.job
    },
  }
}
