import { GenmountError } from '@genmount/client'

/**
 * Asks the server something about each job, also after it has refused one: a wrong id must not leave the jobs behind it running.
 * @returns an error that names each job that was refused, and why; `undefined` when there is none
 * @throws an error that is about more than one job at once, such as that of a wrong key
 */
export async function eachJob(
  ids: readonly string[],
  ask: (id: string) => Promise<void>,
): Promise<GenmountError | undefined> {
  const refusals: { readonly id: string; readonly error: GenmountError }[] = []
  for (const id of ids)
    try {
      await ask(id)
    } catch (error) {
      if (ids.length === 1 || !isOfOneJob(error)) throw error
      refusals.push({ id, error })
    }
  const [first] = refusals
  if (!first) return undefined
  const message = refusals.map(({ id, error }) => `${id}: ${error.message}`).join(' ')
  const { code, status, param, requestId } = first.error
  return new GenmountError(code, message, { status, param, requestId, cause: first.error })
}

/** The server does not know the job, or the job is in the wrong state. */
const codesOfOneJob: readonly string[] = ['job_not_found', 'job_finished', 'job_processing']

function isOfOneJob(error: unknown): error is GenmountError {
  return error instanceof GenmountError && codesOfOneJob.includes(error.code)
}
