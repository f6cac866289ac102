import type { Clock } from '../contracts/clock.ts'
import type { Job } from '../contracts/job.ts'
import type { JobStore } from '../contracts/storage/job-store.ts'
import { storedBytesOf } from '../ledger/cost-entry-of.ts'
import { lastUsed } from '../lists/last-used.ts'

/** Knows how many bytes the files of each owner take in the file store, by the job store that all processes share. */
export interface Storage {
  /**
   * How many bytes the outputs and uploads of the owner take. The figure may lack what other processes have
   * written in the last 10 seconds. A figure of `most` or more is exact for this process: it counts no output twice, and
   * no job that this process has deleted. Rejects when the job store can't add the bytes up.
   */
  of(owner: string, most: number): Promise<number>
  /** Counts a job that this process has just written. */
  saw(job: Job): void
  /** Counts a file that this process has just written. */
  wrote(owner: string, bytes: number): void
  /** Records that this process has deleted a file. */
  deleted(owner: string): void
}

/** How long a result of a read is reused, in milliseconds. Adding up the bytes of 100,000 jobs takes 10 to 100 ms. */
const freshMs = 10_000
/** The most owners whose figures are kept in memory. */
const maxOwners = 1000

/** What is known about one owner. */
interface Account {
  /** The bytes that the latest read has returned. */
  stored: number
  /** The bytes of the jobs that this process has written since that read began. `stored` may include some of them. */
  writtenSince: number
  /** When that read began, in milliseconds of uptime. */
  readAt: number
  /** The read that is under way. */
  reading?: Promise<void> | undefined
}

/** Makes the accounts of one service. @param storedBytes adds up the bytes of an owner in the job store */
export function storage(storedBytes: NonNullable<JobStore['storedBytes']>, clock: Clock): Storage {
  const accounts = lastUsed<Account>(maxOwners)

  async function read(owner: string, account: Account): Promise<void> {
    account.readAt = clock.uptime()
    account.writtenSince = 0
    try {
      account.stored = await storedBytes(owner, clock.now())
    } catch (fault) {
      account.readAt = Number.NEGATIVE_INFINITY
      throw fault
    }
  }

  function isDoubtful({ stored, writtenSince, readAt, reading }: Account, most: number): boolean {
    if (reading || clock.uptime() - readAt >= freshMs) return true
    return writtenSince > 0 && stored + writtenSince >= most
  }

  function wrote(owner: string, bytes: number): void {
    const account = accounts.peek(owner)
    if (account) account.writtenSince += bytes
  }

  function deleted(owner: string): void {
    const account = accounts.peek(owner)
    if (account) account.readAt = Number.NEGATIVE_INFINITY
  }

  return {
    wrote,
    deleted,

    async of(owner, most) {
      const account = accounts.get(owner) ?? {
        stored: 0,
        writtenSince: 0,
        readAt: Number.NEGATIVE_INFINITY,
      }
      accounts.set(owner, account)
      // A job may be deleted during the first read. There is no third read, because jobs may end during every read.
      for (let reads = 0; reads < 2 && isDoubtful(account, most); reads++)
        await (account.reading ??= read(owner, account).finally(() => (account.reading = undefined)))
      return account.stored + account.writtenSince
    },

    saw(job) {
      if (job.deletedAt === undefined) wrote(job.owner, storedBytesOf(job))
      else deleted(job.owner)
    },
  }
}
