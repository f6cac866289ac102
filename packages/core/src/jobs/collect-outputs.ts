import type { FileStore } from '../contracts/file-store.ts'
import type { JobOutput } from '../contracts/job.ts'
import type { Output } from '../contracts/provider.ts'
import { fileKeyOf } from './file-key.ts'
import { mediaTypeOf } from './media-type.ts'
import { persist } from './persist.ts'
import { pollTask } from './poll-task.ts'
import type { Step } from './step.ts'
import { failed, postponed, type StepResult } from './step-result.ts'
import { askWithToken } from './submit-task.ts'

/** Puts the outputs of a finished task where they are kept: bytes into the file store, URLs into the job. */
export async function collectOutputs(step: Step, outputs: readonly Output[]): Promise<StepResult> {
  try {
    const kept: JobOutput[] = []
    for (const [index, output] of outputs.entries()) kept.push(await keep(step, output, index))
    return collected(step, kept)
  } catch (error) {
    step.context.log.error(`The outputs of job ${step.job.id} could not be stored.`, error)
    return postponed(step)
  }
}

/** Goes on after a collecting step that broke off: with what it has stored if that is all, else by asking once more. */
export async function collectAgain(step: Step): Promise<StepResult> {
  const { job, context } = step
  const kept = await Promise.all(job.outputs.map((output) => findKept(context.files, output)))
  if (kept.every((output) => output !== undefined)) return collected(step, kept)

  const asked = job.handle === undefined ? askWithToken(step) : pollTask(step)
  if (!asked) return failed('output_invalid', 'The outputs were lost before they could be stored.')
  const { event, outputs } = await asked
  if (outputs) return { outputs }
  if (event?.type === 'postponed') return { event }
  if (event?.type === 'refused') return postponed(step)
  return failed('output_invalid', 'The provider had lost the outputs before they could be stored.')
}

function collected({ context }: Step, outputs: readonly JobOutput[]): StepResult {
  const isCopyDue = context.copyOutputs && outputs.some(({ fileKey }) => fileKey === undefined)
  return { event: { type: 'collected', outputs, copyAt: isCopyDue ? context.clock.now() : undefined } }
}

/** @returns `undefined` for bytes that are not in the file store, or of which nobody can tell */
async function findKept(files: FileStore, output: JobOutput): Promise<JobOutput | undefined> {
  const { fileKey } = output
  if (fileKey === undefined) return output
  const file = await files.open?.(fileKey).catch(() => undefined)
  return file && { fileKey, contentType: file.contentType }
}

async function keep({ context, job }: Step, output: Output, index: number): Promise<JobOutput> {
  if ('url' in output)
    return { url: output.url, ...(output.contentType && { contentType: output.contentType }) }
  const fileKey = fileKeyOf(job, index)
  const contentType = mediaTypeOf(output.bytes)
  await persist(() => context.files.put(fileKey, output.bytes, contentType))
  return { fileKey, contentType }
}
