import { GenerationError } from '@genmount/core'
import type { Exchange } from '../interface/exchange.ts'

/**
 * The job id in the path.
 * @throws GenerationError `job_not_found` for text that can't be a job id, without a read of the store
 */
export function pathId({ params }: Exchange): string {
  const { id } = params
  if (id !== undefined && /^[\w-]{1,64}$/.test(id)) return id
  throw new GenerationError('job_not_found', 'There is no such job, or it has expired.')
}
