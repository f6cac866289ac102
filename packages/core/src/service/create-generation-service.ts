import type { MethodsOf, ServicePlugin } from '../contracts/plugin/service-plugin.ts'
import { memoryBackend } from '../defaults/memory-backend.ts'
import { memoryFileStore } from '../defaults/memory-file-store.ts'
import type { GenerationService } from './generation-service.ts'
import type { GenerationServiceOptions } from './generation-service-options.ts'
import { serviceWith } from './service-with.ts'

/**
 * Makes a job service whose jobs are made by the given providers. It starts nothing before `start()` or its first use.
 * @throws TypeError when an option is wrong, when there is no model, or when two models have the same id
 * @example createGenerationService({ providers: [proceduralProvider()] })
 */
export function createGenerationService<const Plugins extends readonly ServicePlugin[] = readonly []>(
  options: GenerationServiceOptions<Plugins>,
): GenerationService & MethodsOf<Plugins> {
  return serviceWith(options, { backend: (clock) => memoryBackend({ clock }), files: memoryFileStore })
}
