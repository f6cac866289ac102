import type { Job } from '../contracts/job.ts'
import { append, type Linked, type LinkedList, moveToEnd, takeOut } from '../lists/linked-list.ts'

/**
 * Jobs at rest: finished jobs without outputs to copy. They are dropped when new jobs need room, even if they owe a
 * delivery.
 */
export interface RestingJobs {
  readonly count: number
  readonly bytes: number
  /** The job. Does not count as a read. */
  peek(id: string): Job | undefined
  /** The job. Counts as a read by its owner. */
  read(id: string): Job | undefined
  /** @param bytes how much memory the job takes */
  add(job: Job, bytes: number): void
  remove(id: string): void
  /**
   * Removes and returns the job that is dropped first to make room: the least recently read job of the owner with the
   * largest share. Shares that differ by less than a fifth may count as equal. Among owners with equal shares, it is
   * the one who has neither read nor finished a job for the longest time.
   */
  takeOne(): Job | undefined
}

/** The jobs at rest of one owner. */
interface Holding extends Linked<Holding> {
  readonly owner: string
  /** The least recently read job comes first. */
  readonly jobs: LinkedList<Resting>
  count: number
  bytes: number
  level: Level | undefined
}

/**
 * Owners whose shares are about equal. The owner who has neither read nor finished a job for the longest time comes
 * first.
 */
interface Level extends LinkedList<Holding> {
  readonly height: number
}

interface Resting extends Linked<Resting> {
  readonly job: Job
  readonly bytes: number
  readonly holding: Holding
}

/** How many levels there are between a share and twice that share. */
const levelsPerDoubling = 4

/**
 * Makes an empty collection. The share of an owner is its part of `maxJobs` or its part of `maxBytes`, whichever is
 * larger.
 */
export function restingJobs({ maxJobs, maxBytes }: { maxJobs: number; maxBytes: number }): RestingJobs {
  const byId = new Map<string, Resting>()
  const byOwner = new Map<string, Holding>()
  /**
   * The levels by their height. There are at most about a hundred, so the largest share is found without looking at all
   * owners.
   */
  const levels = new Map<number, Level>()
  let bytesOfAll = 0

  function levelOf({ count, bytes }: Holding): Level | undefined {
    if (count === 0) return undefined
    const share = Math.max(count / maxJobs, bytes / maxBytes)
    const height = Math.floor(levelsPerDoubling * Math.log2(share))
    const level = levels.get(height)
    if (level) return level
    const made = { height }
    levels.set(height, made)
    return made
  }

  /** Moves an owner to the level of its present share. */
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
    const level = byOwner.get(owner)
    if (level) return level
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

  /** Makes the job the last of its owner to be dropped, and the owner the last of its level. */
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
