import { checkModel, checkProvider } from '../contracts/check-contract.ts'
import type { Provider } from '../contracts/provider.ts'
import { type Check, listOf } from '../errors/check-option.ts'
import type { RoutedModel } from './route-model.ts'

/** Checks the option `providers` of a service: a list of providers and of models that `routeModel` has made. */
export const checkProviders: Check<readonly (Provider | RoutedModel)[]> = listOf(
  'a list of providers such as [proceduralProvider()]',
  (name, value) => {
    if (!isRouted(value)) return checkProvider(name, value)
    checkModel(`${name}.model`, value.model)
    return value
  },
)

function isRouted(value: unknown): value is RoutedModel {
  return typeof value === 'object' && value !== null && 'routes' in value && 'model' in value
}
