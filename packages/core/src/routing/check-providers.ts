import { checkModel, checkProvider } from '../contracts/check-contract.ts'
import type { Provider } from '../contracts/provider.ts'
import { type Check, listOf } from '../errors/check-option.ts'
import type { RoutedModel } from './route-model.ts'

/** Checks the option `providers` of a service: a list of providers and of models that `routeModel` has made. */
export const checkProviders: Check<readonly (Provider | RoutedModel)[]> = listOf(
  'a list of providers such as [proceduralProvider()]',
  (name, given) => {
    if (!isRouted(given)) return checkProvider(name, given)
    checkModel(`${name}.model`, given.model)
    return given
  },
)

function isRouted(given: unknown): given is RoutedModel {
  return typeof given === 'object' && given !== null && 'routes' in given && 'model' in given
}
