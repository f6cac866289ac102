import { untilAborted } from './until-aborted.ts'

/** Resolves after this many milliseconds. @throws GenmountError `aborted`, as soon as the signal aborts */
export async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const passing = new Promise<void>((resolve) => void (timer = setTimeout(resolve, ms)))
  await untilAborted(passing, signal).finally(() => clearTimeout(timer))
}

/** Adds up to 25 %, so that many clients that have lost the same server do not all reconnect at once. */
export function jittered(ms: number): number {
  return ms * (1 + Math.random() / 4)
}
