import { isLoopbackHost } from '@genmount/core/addresses'
import type { ChosenProviders } from './chosen-providers.ts'
import type { Settings } from './settings.ts'

/**
 * Refuses settings with which other machines reach a server whose jobs cost money, but whose operator has set no keys.
 * @throws Error when a vendor's key is set, API_KEYS is not set, and HOST accepts connections from other machines
 */
export function checkSpending(
  { host, ownKey }: Settings,
  { variables }: Pick<ChosenProviders, 'variables'>,
): void {
  if (ownKey !== undefined && !isLoopbackHost(host) && variables.length > 0)
    throw new Error(
      `API_KEYS must be set where ${variables.join(' and ')} is: on ${host}, other machines reach the server and can spend your money.`,
    )
}
