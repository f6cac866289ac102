import { randomBytes } from 'node:crypto'
import type { ChosenProviders } from './chosen-providers.ts'
import type { Settings } from './settings.ts'

/**
 * Replaces the published key by a random one if jobs can cost money: every program on this machine knows the published
 * key. The random key ends with the process.
 */
export function withRandomKey(
  settings: Settings,
  { variables }: Pick<ChosenProviders, 'variables'>,
): Settings {
  if (settings.ownKey === undefined || variables.length === 0) return settings
  return { ...settings, ownKey: 'random', apiKeys: { dev: randomBytes(32).toString('base64url') } }
}
