import type { JobOutput } from '../contracts/job.ts'
import type { Output } from '../contracts/provider.ts'
import { fileKeyOf } from './file-key.ts'
import { mediaTypeOf } from './media-type.ts'
import { persist } from './persist.ts'
import { pollTask } from './poll-task.ts'
import type { Step } from './step.ts'
import { failed, postponed, type StepResult } from './step-result.ts'

/** Puts the outputs of a finished task where they are kept: bytes into the file store, URLs into the job. */
export async function collectOutputs(step: Step, outputs: readonly Output[]): Promise<StepResult> {
  try {
    const kept: JobOutput[] = []
    for (const [index, output] of outputs.entries()) kept.push(await keep(step, output, index))
    const isCopyDue = step.context.copyOutputs && kept.some(({ fileKey }) => fileKey === undefined)
    return {
      event: { type: 'collected', outputs: kept, copyAt: isCopyDue ? step.context.clock.now() : undefined },
    }
  } catch (error) {
    step.context.log.error(`The outputs of job ${step.job.id} could not be stored.`, error)
    return postponed(step)
  }
}

/** Gets the outputs of a finished task once more, after a collecting step that broke off. */
export async function collectAgain(step: Step): Promise<StepResult> {
  const { job } = step
  const urls = job.outputs.flatMap(({ url }) => (url === undefined ? [] : [{ url }]))
  if (urls.length === job.outputs.length) return { outputs: urls }
  if (job.handle === undefined)
    return failed('output_invalid', 'The outputs were lost before they could be stored.')
  const { event, outputs } = await pollTask(step)
  if (outputs) return { outputs }
  return event?.type === 'postponed'
    ? { event }
    : failed('output_invalid', 'The provider had lost the outputs before they could be stored.')
}

async function keep({ context, job }: Step, output: Output, index: number): Promise<JobOutput> {
  if ('url' in output)
    return { url: output.url, ...(output.contentType && { contentType: output.contentType }) }
  const fileKey = fileKeyOf(job, index)
  const contentType = mediaTypeOf(output.bytes)
  await persist(() => context.files.put(fileKey, output.bytes, contentType))
  return { fileKey, contentType }
}
