import type { Json, JsonObject } from '../contracts/json.ts'
import type { ResolvedInput } from '../contracts/plugin/plugin-inputs.ts'
import type { Clock } from '../contracts/clock.ts'
import { GenerationError } from '../errors/generation-error.ts'
import { mapTexts } from '../text/json-values.ts'
import type { InputForm } from './input-form.ts'
import { type InputFiles, mayBeReference } from './input-files.ts'
import { lookAt } from './jobs-awaited.ts'
import { isOutputAddress, jobUrl, readJobReference } from './job-reference.ts'

/** The most files that one input may refer to. Each costs a look-up in a store. */
const maxFiles = 20

/** The references of an input to one file. */
interface References {
  /** The field with the first reference. */
  readonly field: string
  /** The number of references. */
  readonly times: number
}

/** A file that an input refers to, with what stands for it in the input for the schema. */
interface ResolvedFile {
  /** The reference in the input of the client. */
  readonly text: string
  /** The reference in the stored input. */
  readonly url: string
  readonly field: string
  readonly standIn: string
  readonly inlineBytes: number
  readonly expiresAt: number
  /** When to look for it again. `undefined` when it is there. */
  readonly lookAt?: number | undefined
}

/**
 * Finds the files that an input refers to. All of them exist and belong to its owner, or are outputs of a job of the owner that
 * is under way. A URL or a data URI stands for each reference in the input for the schema.
 * @param input is kept, and not changed
 * @throws GenerationError `invalid_request`, which names the field, and is the same for unknown, foreign and expired
 *   uploads; `job_not_found`, the same for unknown, foreign and expired jobs; `store_unavailable`
 */
export async function resolveInput(
  context: {
    readonly files: InputFiles
    readonly form: InputForm
    readonly clock: Clock
    readonly now: () => number
  },
  owner: string,
  input: JsonObject,
): Promise<ResolvedInput> {
  const references = new Map<string, References>()
  addReferences(input, [], references)
  if (references.size > maxFiles)
    throw refusal('input', `An input may refer to at most ${maxFiles} uploads and outputs.`)
  const all = await Promise.all([...references].map(([text, reference]) => one(text, reference)))
  const resolved = all.filter((file) => file !== undefined)
  const bytes = resolved.reduce((sum, { inlineBytes }) => sum + inlineBytes, 0)
  if (bytes > context.form.maxInlineBytes)
    throw refusal(resolved[0]?.field ?? 'input', tooManyBytes(bytes, context.form))
  const standInOf = new Map(resolved.map(({ text, standIn }) => [text, standIn]))
  return {
    input: mapTexts(input, (text) => standInOf.get(text) ?? text) as JsonObject,
    // A list and not a map, because a map would hash each long text as a whole. Comparing two texts of different
    // lengths reads neither.
    restored: (validated) =>
      mapTexts(
        validated,
        (text) => resolved.find(({ standIn }) => standIn === text)?.url ?? text,
      ) as JsonObject,
    awaitedUntil: resolved.find(({ lookAt: at }) => at !== undefined)?.lookAt,
    mustLiveUntil: lifeCheck(resolved.map(({ field, expiresAt }) => ({ field, expiresAt }))),
  }

  async function one(text: string, { field, times }: References): Promise<ResolvedFile | undefined> {
    const file = await context.files.find(owner, text)
    const reference = readJobReference(text)
    const url = reference ? jobUrl(reference) : text
    switch (file.state) {
      case 'missing':
        // An address may be one of another service, where the vendor reads it.
        if (isOutputAddress(text) && file.isUnknownJob) return undefined
        throw refusal(field, file.why, file.isUnknownJob ? 'job_not_found' : 'invalid_request')
      case 'linked':
        return { text, url, field, standIn: file.url, inlineBytes: 0, expiresAt: file.expiresAt }
      case 'awaited': {
        const standIn = await context.form.standIn(file.id, undefined)
        return {
          text,
          url,
          field,
          standIn,
          inlineBytes: 0,
          expiresAt: file.id.expiresAt,
          lookAt: lookAt(file, context),
        }
      }
      case 'stored': {
        const { expiresAt } = file.id
        if (context.now() >= expiresAt) throw refusal(field, 'There is no such upload, or it has expired.')
        const standIn = await context.form.standIn(file.id, file.file)
        return {
          text,
          url,
          field,
          standIn,
          inlineBytes: times * context.form.inlineBytes(file.file),
          expiresAt,
        }
      }
    }
  }
}

/** Why the files of an input are too large for data URIs. */
export function tooManyBytes(bytes: number, { maxInlineBytes }: Pick<InputForm, 'maxInlineBytes'>): string {
  return `The uploads and outputs of this input have ${bytes} bytes, counted once for each reference. At most ${maxInlineBytes} are accepted, because the provider gets them within its request.`
}

/** A function of its own, because a closure that is made in the look-up would keep the stand-ins in memory. */
function lifeCheck(
  files: readonly { readonly field: string; readonly expiresAt: number }[],
): ResolvedInput['mustLiveUntil'] {
  return (deadlineAt) => {
    const short = files.find(({ expiresAt }) => expiresAt < deadlineAt)
    if (short)
      throw refusal(
        short.field,
        'The file expires before the time for the job is over. Upload the file again.',
      )
  }
}

/** Adds the references in the value, with one entry for each upload. */
function addReferences(value: Json, path: readonly string[], references: Map<string, References>): void {
  if (typeof value === 'string') {
    if (!mayBeReference(value)) return
    const { field, times } = references.get(value) ?? { field: path.join('.'), times: 0 }
    references.set(value, { field, times: times + 1 })
  } else if (typeof value === 'object' && value !== null)
    for (const [key, part] of Object.entries(value as Readonly<Record<string, Json>>))
      addReferences(part, [...path, key], references)
}

function refusal(
  field: string,
  message: string,
  code: 'invalid_request' | 'job_not_found' = 'invalid_request',
): GenerationError {
  return new GenerationError(code, `${field}: ${message}`, { param: field })
}
