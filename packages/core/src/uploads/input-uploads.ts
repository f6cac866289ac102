import type { Json, JsonObject } from '../contracts/json.ts'
import type { ResolvedInput } from '../contracts/service-plugin.ts'
import { GenerationError } from '../errors/generation-error.ts'
import { mapTexts } from '../text/json-values.ts'
import type { InputForm } from './input-form.ts'
import type { UploadFiles } from './upload-files.ts'
import { isUploadUrl } from '../contracts/uploads.ts'
import { readUploadUrl } from './upload-reference.ts'

/** The most uploads in one input. Each upload costs a look-up in the file store. */
const maxUploads = 20

/** The references of an input to one upload. */
interface References {
  /** The field with the first reference. */
  readonly field: string
  /** The number of references. */
  readonly times: number
}

/**
 * Finds the uploads that an input refers to. All of them exist and belong to its owner. A URL or a data URI stands for each
 * reference in the input for the schema.
 * @param input is kept, and not changed
 * @throws GenerationError `invalid_request`, which names the field, and is the same for unknown, foreign and expired
 *   uploads; `store_unavailable`
 */
export async function inputUploads(
  context: { readonly file: UploadFiles; readonly form: InputForm; readonly now: () => number },
  owner: string,
  input: JsonObject,
): Promise<ResolvedInput> {
  const references = new Map<string, References>()
  addReferences(input, [], references)
  if (references.size > maxUploads)
    throw refusal('input', `An input may refer to at most ${maxUploads} uploads.`)
  const uploads = await Promise.all([...references].map(([url, reference]) => one(url, reference)))
  const bytes = uploads.reduce((sum, { inlineBytes }) => sum + inlineBytes, 0)
  const { maxInlineBytes } = context.form
  if (bytes > maxInlineBytes)
    throw refusal(
      uploads[0]?.field ?? 'input',
      `The uploads of this input have ${bytes} bytes, counted once for each reference. At most ${maxInlineBytes} are accepted, because the provider gets them within its request.`,
    )
  const standInOf = new Map(uploads.map(({ url, standIn }) => [url, standIn]))
  return {
    input: mapTexts(input, (text) => standInOf.get(text) ?? text) as JsonObject,
    // A list and not a map, because a map would hash each long text as a whole. Comparing two texts of different
    // lengths reads neither.
    restored: (validated) =>
      mapTexts(
        validated,
        (text) => uploads.find(({ standIn }) => standIn === text)?.url ?? text,
      ) as JsonObject,
    mustLiveUntil: lifeCheck(uploads.map(({ field, expiresAt }) => ({ field, expiresAt }))),
  }

  async function one(url: string, { field, times }: References) {
    const upload = readUploadUrl(url)
    const isAlive = upload && context.now() < upload.expiresAt
    const file = isAlive ? await context.file.find(owner, upload) : undefined
    if (!upload || !file) throw refusal(field, 'There is no such upload, or it has expired.')
    const { expiresAt } = upload
    const standIn = await context.form.standIn(upload, file)
    return { url, field, expiresAt, standIn, inlineBytes: times * context.form.inlineBytes(file) }
  }
}

/** A function of its own, because a closure that is made in the look-up would keep the stand-ins in memory. */
function lifeCheck(
  uploads: readonly { readonly field: string; readonly expiresAt: number }[],
): ResolvedInput['mustLiveUntil'] {
  return (deadlineAt) => {
    const short = uploads.find(({ expiresAt }) => expiresAt < deadlineAt)
    if (short)
      throw refusal(
        short.field,
        'The upload expires before the time for the job is over. Upload the file again.',
      )
  }
}

/** Adds the references in the value, with one entry for each upload. */
function addReferences(value: Json, path: readonly string[], references: Map<string, References>): void {
  if (typeof value === 'string') {
    if (!isUploadUrl(value)) return
    const { field, times } = references.get(value) ?? { field: path.join('.'), times: 0 }
    references.set(value, { field, times: times + 1 })
  } else if (typeof value === 'object' && value !== null)
    for (const [key, part] of Object.entries(value as Readonly<Record<string, Json>>))
      addReferences(part, [...path, key], references)
}

function refusal(field: string, message: string): GenerationError {
  return new GenerationError('invalid_request', `${field}: ${message}`, { param: field })
}
