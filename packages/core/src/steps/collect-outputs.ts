import type { JobOutput } from '../contracts/job.ts'
import type { Output } from '../contracts/provider-report.ts'
import { leastHoldingMs } from '../claims/claim.ts'
import { namedFile } from '../job/file-key.ts'
import { storedOutputs } from '../job/job-state.ts'
import type { JobEvent } from '../job/job-event.ts'
import { changedBytes } from '../outputs/changed-output.ts'
import { factsOfBytes } from '../outputs/file-reading.ts'
import { storeBytes, storeSpooled } from '../outputs/store-bytes.ts'
import { fieldsOf } from '../job/whose.ts'
import { mediaTypeOf } from '../text/media-type.ts'
import { pollTask } from './poll-task.ts'
import { type Step, mayReturn, submitterState } from './step.ts'
import { failed, postponed, revisionOf, type StepResult, waiting } from './step-result.ts'
import { askWithToken } from './submit-task.ts'
import { withinLimit } from '../pacing/within-limit.ts'

/** How long the file store may take to open an output that may be stored already, in milliseconds. */
const openLimitMs = 10_000
/**
 * How many milliseconds to wait for a process that may still have the outputs in memory, unless that process has ended.
 * If it may return (`Processes.mayReturnMs`), others wait so long for it.
 */
const holderGraceMs = 5 * 60_000

/**
 * Stores outputs after those that are stored: bytes in the file store, URLs in the job. If the app checks outputs, none is
 * stored before the app has allowed all of them.
 */
export async function collectOutputs(step: Step, outputs: readonly Output[]): Promise<StepResult> {
  const checking = outputs.length > 0 && step.context.plugins.checkOutputs(step.job, outputs)
  const objection = checking && (await checking)
  if (objection) return { event: objection }
  try {
    const stored = [...storedOutputs(step.job)]
    for (const output of outputs) stored.push(await store(step, output, stored.length))
    return collected(step, stored)
  } catch (error) {
    const { job, provider, context } = step
    context.log.error(`The outputs of job ${job.id} could not be stored.`, {
      ...fieldsOf(job, provider.name),
      cause: error,
    })
    return context.givingUp.hasEnded ? { event: { type: 'interrupted' } } : postponed(step, 'files')
  }
}

/** Continues after an interrupted collecting step. If not all outputs are stored, polls the provider for them again. */
export async function collectAgain(step: Step): Promise<StepResult> {
  const { job, context } = step
  let isUncertain = false
  const stored = await Promise.all(
    job.outputs.map((output, index) =>
      findStored(step, output, index).catch(() => void (isUncertain = true)),
    ),
  )
  if (stored.every((output) => output !== undefined)) {
    // Bytes in a file store were allowed by the app before they were stored. Links may not have been checked yet.
    const links = stored.flatMap(({ url }) => (url === undefined ? [] : [{ url }]))
    const objection = links.length > 0 && (await context.plugins.checkOutputs(job, links))
    return objection ? { event: objection } : collected(step, stored)
  }

  const answer = await (job.handle === undefined ? askWithToken(step) : pollTask(step))
  if (!answer && isUncertain) return postponed(step)
  if (!answer && (await mayStillCome(step))) return waiting(step)
  if (!answer) return failed('output_invalid', 'The outputs were lost before they could be stored.')
  const { event, outputs } = answer
  if (outputs) return { outputs }
  if (event && isUndecided.has(event.type)) return { event }
  if (event?.type === 'refused') return postponed(step)
  return failed('output_invalid', 'The provider had lost the outputs before they could be stored.')
}

/** The events after which the provider may still have the outputs. */
const isUndecided: ReadonlySet<JobEvent['type']> = new Set(['postponed', 'unknown', 'interrupted'])

/** Whether the process that has the outputs in memory may still store them, because it may only be frozen. */
async function mayStillCome(step: Step): Promise<boolean> {
  const { checkedAt = 0 } = step.job
  if (step.context.clock.now() - checkedAt >= holderGraceMs) return false
  return (await submitterState(step)) !== 'ended' || mayReturn(step, checkedAt)
}

function collected({ context }: Step, outputs: readonly JobOutput[]): StepResult {
  const isCopyDue = context.copyOutputs && outputs.some(({ fileKey }) => fileKey === undefined)
  return { event: { type: 'collected', outputs, copyAt: isCopyDue ? context.clock.now() : undefined } }
}

/**
 * Looks for an output that may be stored already.
 * @returns `undefined` for bytes that are neither in the file store nor in the spool
 * @throws when the file store or the spool does not answer
 */
async function findStored(
  { context, job }: Step,
  output: JobOutput,
  index: number,
): Promise<JobOutput | undefined> {
  const { fileKey } = output
  if (fileKey === undefined) return output
  const { clock, files, givingUp } = context
  const file = await withinLimit(clock, openLimitMs, 'file store', () => files.open?.(fileKey), givingUp)
  const stored = file
    ? { fileKey, contentType: file.contentType, bytes: file.size }
    : await storeSpooled(context, namedFile(job, index))
  return stored && { ...stored, ...revisionOf(output) }
}

async function store({ context, job }: Step, output: Output, index: number): Promise<JobOutput> {
  const revision = revisionOf(output)
  if ('url' in output)
    return { url: output.url, ...(output.contentType && { contentType: output.contentType }), ...revision }
  const file = namedFile(job, index)
  const contentType = mediaTypeOf(output.bytes, output.contentType) ?? 'application/octet-stream'
  const { changesOf, readingOf } = context.plugins
  const bytes = await changedBytes(output.bytes, changesOf({ job, index, contentType }), context.clock)
  const forMs = Math.max(leastHoldingMs, job.deadlineAt - context.clock.now())
  await storeBytes(context, file, bytes, contentType, forMs)
  const facts = await factsOfBytes(bytes, readingOf({ job, index, contentType }))
  return { fileKey: file.fileKey, contentType, bytes: bytes.byteLength, ...revision, ...facts }
}
