import type { Processes } from '../contracts/storage/backend.ts'

/**
 * The state of the process that made a claim.
 * @returns `'alive'` also for a process that is frozen; `undefined` when the state is unknown
 * @throws the backend's error
 */
export async function holderOf(
  claimToken: string | undefined,
  processes: Processes | undefined,
): Promise<'alive' | 'ended' | undefined> {
  const holder = processOf(claimToken)
  if (!processes || holder === undefined) return undefined
  return (await processes.hasEnded(holder)) ? 'ended' : 'alive'
}

/** The id of the process that made a claim; `undefined` when the token does not contain one. */
export function processOf(claimToken = ''): string | undefined {
  const end = claimToken.indexOf(':')
  return end < 0 ? undefined : claimToken.slice(0, end)
}
