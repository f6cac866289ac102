import type { Job } from '../job.ts'
import type { ServiceHealth } from './service-health.ts'

/** What a plugin can have its service do: the methods of `GenerationService` by these names, whose promises hold. */
export interface ServiceActions {
  /** See `GenerationService.cancel`. */
  cancel(id: string, owner: string): Promise<Job>
  /** See `GenerationService.delete`. */
  delete(id: string, owner: string): Promise<void>
  /** See `GenerationService.retry`. */
  retry(id: string): Promise<Job>
  /** See `GenerationService.health`. */
  health(): Promise<ServiceHealth>
}
