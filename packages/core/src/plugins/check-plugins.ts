import type { ServicePlugin } from '../contracts/service-plugin.ts'
import { accepts, type Check, listOf } from '../errors/check-option.ts'

/** Checks the option `plugins`. */
export const checkPlugins: Check<readonly ServicePlugin[]> = listOf(
  'a list of plugins',
  accepts<ServicePlugin>(
    'a plugin with a name and attach(), such as limits({ runningJobs: 20 })',
    (value) => {
      const { name, attach } = (value ?? {}) as Partial<ServicePlugin>
      return typeof name === 'string' && name !== '' && typeof attach === 'function'
    },
  ),
)
