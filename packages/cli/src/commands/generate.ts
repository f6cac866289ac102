import { type AnyModels, type Client, GenmountError, type Model } from '@genmount/client'
import { connect, type ConnectionOptions } from '../connection/connect.ts'
import { type InputOptions, readInput } from '../input/read-input.ts'
import { outputTarget, type TargetOptions } from '../output/output-target.ts'
import { saveOutputs } from '../output/save-outputs.ts'
import { tellOutputs } from '../output/tell-outputs.ts'
import type { Session } from '../program/session.ts'
import { followed, patientRetries } from './followed.ts'
import { writeEstimate } from './write-estimate.ts'

/** The options of `generate`. */
export interface GenerateCommandOptions extends ConnectionOptions, InputOptions, TargetOptions {
  readonly model: string
  /** `false` with `--no-wait`. */
  readonly wait: boolean
  readonly show: boolean
  readonly quiet?: boolean
  readonly dryRun?: boolean
}

/** Creates a job, waits for it, and saves its outputs; or says what it would cost. */
export async function generate(session: Session, options: GenerateCommandOptions): Promise<void> {
  const { signal, stdout } = session
  // Checks the target before the first request. It is checked again, with the number of outputs, before the paid
  // create.
  outputTarget(session, options, 1)
  const hasty = connect(session, options)
  const model = await knownModel(session, hasty, options.model)
  const input = await readInput(session, hasty, model, options)
  if (options.dryRun) {
    const estimate = await hasty.estimate({ ...input, model: model.id }, { signal })
    return writeEstimate(stdout, estimate, options.json === true)
  }
  const target = outputTarget(session, options, countOf(input))
  const client = connect(session, options, patientRetries)

  session.isCreating = true
  const created = await client.create({ ...input, model: model.id }, { signal })
  session.job = created
  if (!options.wait) {
    if (options.json) stdout.json(created, 2)
    else stdout.line(created.id)
    return
  }
  const job = await followed(session, client, created, {
    quiet: options.quiet,
    typicalSeconds: model.typical_seconds,
  })
  const saved = await saveOutputs(session, client, job, target)
  await tellOutputs(session, job, saved, options.show)
}

/** @throws GenmountError for an unknown model. The error names the models of the server */
async function knownModel({ signal }: Session, client: Client<AnyModels>, id: string): Promise<Model> {
  try {
    return await client.model(id, { signal })
  } catch (error) {
    if (!(error instanceof GenmountError) || error.code !== 'model_not_found') throw error
    const ids = (await client.models({ signal })).map((model) => model.id)
    throw new GenmountError(error.code, `There is no model ${id}. The server has: ${ids.join(', ')}.`, {
      ...error,
      cause: error,
    })
  }
}

/** How many outputs the input asks for, as far as its fields say. */
function countOf(input: Readonly<Record<string, unknown>>): number {
  const count = input['num_outputs'] ?? input['n']
  // No model makes more than 1000, and each file costs one look at the disk.
  return typeof count === 'number' ? Math.min(count, 1000) : 1
}
