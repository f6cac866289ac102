import type { Environment } from '../vendors/environment.ts'
import type { Provider, RoutedModel } from '@genmount/core'
import { foundVendors } from '../vendors/found-vendors.ts'
import { configuredProviders } from './configured-providers.ts'
import { installedProviders } from './installed-providers.ts'
import type { ConfigFile } from './read-config.ts'
import type { Settings } from './settings.ts'

/** The providers of the server. */
export interface ChosenProviders {
  readonly providers: readonly (Provider | RoutedModel)[]
  /** The environment variables and the fields of the configuration file by which jobs can cost money. */
  readonly variables: readonly string[]
  /** Lines for the operator: which vendors were found and which were not. They contain no key. */
  readonly lines: readonly string[]
}

/** The providers that the configuration file names. If it names none, the vendors whose keys are in the environment. */
export async function chosenProviders(
  settings: Settings,
  config: ConfigFile | undefined,
  env: Environment,
): Promise<ChosenProviders> {
  if (config?.providers) {
    const { providers, paid } = await configuredProviders(config.name, config.providers)
    return { providers, variables: paid, lines: [`The providers are those of ${config.path}`] }
  }
  const [own, vendors] = await Promise.all([installedProviders(settings), foundVendors(env)])
  return { providers: [...own, ...vendors.models], variables: vendors.variables, lines: vendors.lines }
}
