import type { Verdict } from './moderate.ts'
import { shortText } from '../text/short-text.ts'

/**
 * Reads what the app's `moderate` has returned.
 * @returns the reason of the refusal, in words for the client; `undefined` when it allows
 * @throws Error when the app has returned no verdict, so that a forgotten `return` allows nothing
 */
export function refusalIn(verdict: Verdict): string | undefined {
  if (verdict === 'allowed') return undefined
  const { refused } = (verdict ?? {}) as { readonly refused?: unknown }
  if (typeof refused === 'string' && refused !== '') return shortText(refused)
  throw new TypeError("moderate must return 'allowed' or { refused: 'why' }.")
}
