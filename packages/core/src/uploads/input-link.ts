import type { Job } from '../contracts/job.ts'
import type { Json } from '../contracts/json.ts'
import { sha256Hex } from '../text/sha256-hex.ts'
import { textsIn } from '../text/texts-in.ts'
import { inputPath } from '../contracts/uploads.ts'
import { isUploadUrl } from '../text/upload-url.ts'
import { readUploadUrl, type UploadId } from './upload-reference.ts'

const hashed = (text: string) => sha256Hex(new TextEncoder().encode(text))

/** The link for the provider. */
export async function inputUrl(baseUrl: string, job: Job, upload: UploadId): Promise<string> {
  const parts: Readonly<Record<string, string>> = {
    job: job.id,
    token: await tokenOf(job),
    name: await nameOf(upload),
  }
  return baseUrl + inputPath.replace(/:(\w+)/g, (_, part: string) => parts[part] ?? '')
}

/** Finds the upload of a link. @returns `undefined` when the job has no such upload in its input */
export async function linkedUpload(job: Job, token: string, name: string): Promise<UploadId | undefined> {
  // The comparison uses hashes, so that its duration reveals nothing about the token.
  const [received, own] = await Promise.all([hashed(token), tokenOf(job).then(hashed)])
  if (received !== own) return undefined
  for (const upload of uploadsIn(job.input ?? {})) if ((await nameOf(upload)) === name) return upload
  return undefined
}

/** All uploads that a stored input refers to. */
export function uploadsIn(value: Json): readonly UploadId[] {
  return textsIn(value, isUploadUrl)
    .map(readUploadUrl)
    .filter((upload) => upload !== undefined)
}

/** The secret in the links of a job's input. It can be calculated only from the job's `clientToken`. */
function tokenOf({ clientToken }: Job): Promise<string> {
  return hashed(`input ${clientToken}`)
}

/**
 * The last part of a link. It has the extension of the id, because some vendors derive the type from it. It does not
 * reveal the id.
 */
async function nameOf({ id }: UploadId): Promise<string> {
  return `${(await hashed(id)).slice(0, 16)}${id.slice(id.indexOf('.'))}`
}
