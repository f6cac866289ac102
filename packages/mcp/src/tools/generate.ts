import type { Estimate, Job, Model, OutputKind } from '@genmount/client'
import { withJobFiles } from '../input/job-files.ts'
import { estimateResult } from '../results/estimate-result.ts'
import { jobResult } from '../results/job-result.ts'
import { checkHeldLimit } from '../spending/held-limit.ts'
import { createdTask } from '../tasks/job-task.ts'
import { pendingCall } from '../waiting/pending-call.ts'
import { flagArgument, notTaken, textArgument } from './arguments.ts'
import { fieldsOf, inputSchema } from './input-schema.ts'
import type { Tool, ToolCall } from './tool.ts'
import type { ToolContext } from './tool-context.ts'
import { ToolError } from './tool-error.ts'

interface Kind {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly outputKind: OutputKind
  /** The field that a model must have to be usable with this tool. */
  readonly field?: string
}

const files =
  'Pictures and films in the input are https URLs, data URIs, or job://{job_id}#{n} for the file n, from 0, of another job, which need not be downloaded and may still be processing: the new job waits for it. So a picture, a film of it and the film enlarged are three calls with wait: false, without waiting between them. Fields that list_models names for the chosen model may be given too.'

const kinds: readonly Kind[] = [
  {
    name: 'generate_image',
    title: 'Generate a picture',
    description: 'Makes a picture from a text',
    outputKind: 'image',
  },
  {
    name: 'generate_video',
    title: 'Generate a film',
    description:
      'Makes a film from a text or pictures. It may take minutes: an answer may name a job that is still processing',
    outputKind: 'video',
  },
  {
    name: 'edit_image',
    title: 'Edit a picture',
    description:
      'Changes a picture: as a text says, or as its model does, such as one that enlarges. Where there is a mask, only its part changes',
    outputKind: 'image',
    field: 'image',
  },
]

/** The tools that make jobs. */
export const generateTools: readonly Tool[] = kinds.map((kind) => ({
  name: kind.name,
  listing(models) {
    const fitting = models.filter((model) => fits(model, kind))
    if (fitting.length === 0) return undefined
    return {
      title: kind.title,
      description: `${kind.description}. ${costWords(fitting)} ${files}`,
      inputSchema: inputSchema(fitting, kind.field ? [kind.field] : []),
      annotations: {
        readOnlyHint: false,
        destructiveHint: false,
        idempotentHint: false,
        openWorldHint: true,
      },
    }
  },
  async call(context, call) {
    const { model: _, wait: __, idempotency_key: ___, dry_run: ____, ...others } = call.args
    const isWaiting = flagArgument(call.args, 'wait', true)
    const idempotencyKey = textArgument(call.args, 'idempotency_key')
    const model = chosenModel(await context.models(), kind, textArgument(call.args, 'model'))
    const fields = inputFields(model, others)
    if (kind.field !== undefined && (fields[kind.field] ?? undefined) === undefined)
      throw new ToolError('missing_field', `${kind.field} is missing.`)
    const isDryRun = flagArgument(call.args, 'dry_run', false)
    const readable = await withJobFiles(context.client, fields, call.signal)
    const input = { ...readable, model: model.id }
    if (isDryRun) return estimateResult(await estimate(context, input, call.signal))
    const job = await createJob(context, input, idempotencyKey)
    const mayBeTask = call.knowsTasks && isWaiting
    if (mayBeTask && kind.outputKind === 'video' && job.status === 'processing') return createdTask(job)
    const waits = isWaiting && job.status === 'processing'
    return waits ? pendingCall(job, mayBeTask) : jobResult(context, { job }, call.signal)
  },
}))

/** A model that needs a picture, such as an enlarger, edits pictures and does not generate them. */
function fits(model: Model, { outputKind, field }: Kind): boolean {
  if (model.output_kind !== outputKind) return false
  const fields = fieldsOf(model)
  return field === undefined ? outputKind === 'video' || !fields.get('image')?.isRequired : fields.has(field)
}

function costWords(models: readonly Model[]): string {
  const isFree = ({ price }: Model) => price?.usd === 0
  if (models.every(isFree)) return 'It is free.'
  return models.some(isFree) ? 'It costs money, except with models that are free.' : 'It costs money.'
}

function chosenModel(models: readonly Model[], kind: Kind, id: string | undefined): Model {
  const fitting = models.filter((model) => fits(model, kind))
  const ids = fitting.map((model) => model.id).slice(0, 100)
  const choice = `${kind.name} takes ${ids.length === 0 ? 'no model of this service' : ids.join(', ')}.`
  const [only, ...others] = fitting
  if (id === undefined) {
    if (only && others.length === 0) return only
    throw new ToolError('missing_field', `model is missing: ${choice}`)
  }
  const model = models.find((each) => each.id === id)
  if (model === undefined) throw new ToolError('model_not_found', `There is no model ${id}: ${choice}`)
  if (!fits(model, kind)) throw new ToolError('wrong_output_kind', `The model ${id} does not fit: ${choice}`)
  return model
}

/** The fields of a create that say where the service sends news and results of the job. No tool takes them. */
const webhookFields = ['webhook_url', 'webhook_events']

/**
 * The fields of a job's input, without metadata that are null.
 * @throws ToolError that names a field that the model does not declare. A model whose schema has no list of fields may
 * take any field but those of webhooks
 */
function inputFields(model: Model, { metadata, ...input }: ToolCall['args']): Record<string, unknown> {
  const declared = hasWholeList(model) ? fieldsOf(model) : undefined
  const other = Object.keys(input).find(
    (name) => webhookFields.includes(name) || declared?.has(name) === false,
  )
  if (other !== undefined)
    throw notTaken(`The model ${model.id}`, other, 'list_models names the fields of a model.')
  return { ...input, ...(metadata !== undefined && metadata !== null && { metadata }) }
}

/** Whether the schema of a model lists all its fields in one place. */
function hasWholeList({ input_schema: schema }: Model): boolean {
  return (
    schema?.['properties'] !== undefined &&
    !['$ref', 'allOf', 'anyOf', 'oneOf'].some((name) => name in schema)
  )
}

/** What would become of the create of this job, by the spending limit too. */
function estimate({ client, settings }: ToolContext, input: object, signal: AbortSignal): Promise<Estimate> {
  return client.estimate(input as never, { signal, spendUsdPerDay: settings.maxCostUsd })
}

/**
 * The create continues when the client disconnects. The service makes the job anyway, and an aborted create would leave
 * a job that this server does not know.
 */
async function createJob(
  { client, settings }: ToolContext,
  input: object,
  idempotencyKey: string | undefined,
): Promise<Job> {
  const { maxCostUsd: spendUsdPerDay } = settings
  if (spendUsdPerDay !== undefined) await checkHeldLimit(client, input, spendUsdPerDay)
  return client.create(input as never, { idempotencyKey, spendUsdPerDay })
}
