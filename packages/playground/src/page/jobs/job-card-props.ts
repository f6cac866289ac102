import type { AnyModels, Client, Job, Model } from '@genmount/client'
import type { JobBoard } from './job-board.ts'
import type { Output } from './output.ts'

/** What a card of a job shows, and what its buttons do. */
export interface JobCardProps {
  readonly client: Client<AnyModels>
  readonly board: JobBoard
  readonly job: Job
  /** The job's model. `undefined` if the service no longer has it. */
  readonly model: Model | undefined
  /**
   * Puts a picture or a film into the form. `undefined` if no model takes such a file.
   * @param n which output of the job, from 0
   * @param output `undefined` while the job is processing
   * @throws Error that says in words why the form can't take the output
   */
  readonly onUse: ((n: number, output: Output | undefined) => Promise<void>) | undefined
  /** Puts the input of the job into the form. */
  readonly onReuse: () => void
}
