import type { ChosenProviders } from './chosen-providers.ts'
import type { Settings } from './settings.ts'

/**
 * Refuses settings with which other machines could spend the operator's money through the published key `dev-key`.
 * @throws Error when a vendor's key is set, API_KEYS is not set, and HOST accepts connections from other machines
 */
export function checkSpending(
  { host, usesDefaultKey }: Settings,
  { variables }: Pick<ChosenProviders, 'variables'>,
): void {
  const isOpen = !/^(127\.[\d.]+|::1|localhost)$/.test(host)
  if (usesDefaultKey && isOpen && variables.length > 0)
    throw new Error(
      `API_KEYS must be set where ${variables.join(' and ')} is: on ${host}, everybody could spend your money with the key dev-key.`,
    )
}
