import type { MethodsOf, ServicePlugin } from '../contracts/plugin/service-plugin.ts'
import type { GenerationService } from './generation-service.ts'
import type { GenerationServiceOptions } from './generation-service-options.ts'
import { serviceWith } from './service-with.ts'

/** The options of a service without stores in memory. */
export type StoredServiceOptions<Plugins extends readonly ServicePlugin[] = readonly ServicePlugin[]> =
  GenerationServiceOptions<Plugins> &
    Required<{ readonly [Name in 'backend' | 'files']: NonNullable<GenerationServiceOptions[Name]> }>

/**
 * Makes a job service like `createGenerationService` of `@genmount/core`, for an app that names its `backend` and its `files`. The
 * code of the stores in memory, which are the defaults there, is not bundled.
 * @throws TypeError when an option is wrong, when there is no model, or when two models have the same id
 * @example createGenerationService({ providers, backend: sqliteBackend({ file }), files: diskFiles({ folder }) })
 */
export function createGenerationService<const Plugins extends readonly ServicePlugin[] = readonly []>(
  options: StoredServiceOptions<Plugins>,
): GenerationService & MethodsOf<Plugins> {
  return serviceWith(options, { backend: () => missing('backend'), files: () => missing('files') })
}

function missing(option: string): never {
  throw new TypeError(
    `createGenerationService: ${option} is missing. Without it, import createGenerationService from @genmount/core, which keeps it in memory.`,
  )
}
