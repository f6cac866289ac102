import type { Job } from '../contracts/job.ts'
import type { Log } from '../contracts/log.ts'

/**
 * Makes a function that reports a job to the app, and never throws. An error of the app's own function goes to the log.
 * @param name the option that has the app's function
 * @param tell the app's function, if there is one
 */
export function appTeller<Told>(
  log: Log,
  name: string,
  tell: ((told: Told) => void | Promise<void>) | undefined,
  jobOf: (told: Told) => Job,
): (told: Told) => void {
  return (told) => {
    const { id } = jobOf(told)
    const run = async () => tell?.(told)
    run().catch((cause: unknown) => log.error(`${name} has failed for job ${id}.`, { job: id, cause }))
  }
}
