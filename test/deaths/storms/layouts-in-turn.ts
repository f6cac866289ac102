import type { Layout } from '../service/server-settings.ts'

const layouts: readonly Layout[] = [
  { serves: 'main' },
  { serves: 'other', keeps: 'main' },
  { serves: 'other' },
  { serves: 'main', keeps: 'other' },
]

/**
 * The providers of one server after the other: all models move to the other account and back, while the account that they
 * leave stays for other models, or is removed.
 */
export function layoutsInTurn(startedBefore: number): Layout {
  return layouts[startedBefore % layouts.length]!
}
