import type { Job } from '@genmount/core'

/** The claims that this process has written and not given up. */
export interface HeldClaims {
  /** Notes a claim before it is written, because a write without an answer may have been made. */
  begins(job: Job): void
  /** Notes that a job was written: without a claim of this process, that claim is over. */
  wrote(job: Job): void
  /** Whether a claim is live. @param now in milliseconds since the Unix epoch */
  any(now: number): boolean
}

export function heldClaims(processId: string): HeldClaims {
  /** Until when each claim lasts, by the id of its job. */
  const untils = new Map<string, number>()

  const endOf = ({ claim }: Job) => (claim?.token?.startsWith(`${processId}:`) ? claim.until : undefined)

  return {
    begins(job) {
      const until = endOf(job)
      if (until !== undefined) untils.set(job.id, until)
    },
    wrote(job) {
      if (endOf(job) === undefined) untils.delete(job.id)
    },
    any(now) {
      for (const [id, until] of untils) if (until <= now) untils.delete(id)
      return untils.size > 0
    },
  }
}
