import { type AnyModels, type Client, GenmountError, type Job, type OutputFacts } from '@genmount/client'
import { connect, type ConnectionOptions } from '../connection/connect.ts'
import { outputTarget, type TargetOptions } from '../output/output-target.ts'
import { saveOutputs } from '../output/save-outputs.ts'
import { tellOutputs } from '../output/tell-outputs.ts'
import type { Session } from '../program/session.ts'
import { UsageError } from '../program/usage-error.ts'
import { followed, patientRetries } from './followed.ts'
import { writeJob } from './write-job.ts'

/** The options of `get`. */
export interface GetOptions extends ConnectionOptions, TargetOptions {
  readonly wait?: boolean
  readonly n?: number
  readonly quiet?: boolean
  readonly show: boolean
}

/** Shows a job, or saves its outputs. On request it first waits until the job has finished. */
export async function get(session: Session, id: string, options: GetOptions): Promise<void> {
  const { signal, stdout } = session
  const isSaved = options.output !== undefined
  if (!isSaved && options.n !== undefined)
    throw new UsageError('-n needs -o, which says where to put the output.')
  const target = outputTarget(session, options, 1)
  let job = await connect(session, options).get(id, { signal })
  session.job = job
  const client = connect(session, options, patientRetries)
  if (options.wait && job.status !== 'completed')
    job = await followed(session, client, job, { quiet: options.quiet, typicalSeconds: null })
  if (!isSaved) {
    const outputs = job.status === 'completed' ? await outputsOf(client, job, signal) : undefined
    if (options.json) stdout.json(outputs ? { ...job, outputs } : job, 2)
    else writeJob(stdout, job, outputs)
    return
  }
  if (job.status === 'processing')
    throw new UsageError(`The job ${job.id} has not finished: add --wait to wait for it.`)
  // For a failed job, `wait` throws the error of the job.
  if (job.status === 'failed') await client.wait(job, { signal })
  if (options.n !== undefined && options.n >= job.data.length)
    throw new UsageError(`-n ${options.n}: the outputs of the job are 0 to ${job.data.length - 1}.`)
  const saved = await saveOutputs(session, client, job, target, options.n)
  await tellOutputs(session, job, saved, options.show)
}

/** The facts of the outputs. @returns `undefined` when the server knows none */
async function outputsOf(
  client: Client<AnyModels>,
  job: Job,
  signal: AbortSignal,
): Promise<readonly OutputFacts[] | undefined> {
  try {
    return await client.outputs(job, { signal })
  } catch (error) {
    if (error instanceof GenmountError && error.status === 404) return undefined
    throw error
  }
}
