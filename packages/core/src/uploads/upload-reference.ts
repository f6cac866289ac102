import { svgType, extensionOf, typeOfExtension } from '../text/media-kinds.ts'
import { randomUuid } from '../job/job-id.ts'
import { sha256OfText } from '../text/sha256-hex.ts'
import { isUploadUrl, scheme, uploadPrefix, inputPath } from '../contracts/plugin/uploads.ts'
import type { Job } from '../contracts/job.ts'

/** `up_`, the instant of expiry in milliseconds as 12 hexadecimal digits, 32 random ones, and the type of the file. */
const idForm = /^up_([0-9a-f]{12})[0-9a-f]{32}\.([a-z0-9]{2,4})$/
const keyForm = /^uploads\/([0-9a-f]{12})-[0-9a-f]{40}$/

/** The contents of an upload's id. */
export interface UploadId {
  readonly id: string
  readonly expiresAt: number
  readonly contentType: string
}

/**
 * Makes the id of a new upload. The id is random and can't be guessed.
 * @returns `undefined` when uploads can't have this type
 */
export function newUploadId(expiresAt: number, contentType: string | undefined): UploadId | undefined {
  // A drawing may contain scripts, and no model takes one.
  if (contentType === undefined || contentType === svgType) return undefined
  const extension = extensionOf(contentType)
  if (extension === undefined) return undefined
  const id = `up_${expiresAt.toString(16).padStart(12, '0')}${randomUuid().replaceAll('-', '')}.${extension}`
  return { id, expiresAt, contentType }
}

/** Reads an id. @returns `undefined` for a text that is not a valid id */
export function readUploadId(id: string): UploadId | undefined {
  const [, expiry, extension = ''] = idForm.exec(id) ?? []
  const contentType = typeOfExtension(extension)
  if (expiry === undefined || contentType === undefined) return undefined
  return { id, expiresAt: Number.parseInt(expiry, 16), contentType }
}

/** The text by which an input refers to the upload. */
export function uploadUrl({ id }: UploadId): string {
  return scheme + id
}

/** Reads a reference. @returns `undefined` when the reference is not valid */
export function readUploadUrl(text: string): UploadId | undefined {
  return isUploadUrl(text) ? readUploadId(text.slice(scheme.length)) : undefined
}

/**
 * The key of an upload's file. The key is calculated from owner and id, so no owner can find the upload of another
 * owner, and no table is needed. Owner and id can't be read from the key, because a file store may show the key in its
 * links.
 */
export async function uploadKeyOf(owner: string, { id }: UploadId): Promise<string> {
  const hash = await sha256OfText(JSON.stringify([owner, id]))
  return `${uploadPrefix}${id.slice(3, 15)}-${hash.slice(0, 40)}`
}

/** When the file with this key expires. @returns `undefined` for a key that is not of an upload */
export function expiryOfKey(key: string): number | undefined {
  const [, expiry] = keyForm.exec(key) ?? []
  return expiry === undefined ? undefined : Number.parseInt(expiry, 16)
}

/** The link for the provider. */
export async function inputUrl(baseUrl: string, job: Job, upload: UploadId): Promise<string> {
  const parts: Readonly<Record<string, string>> = {
    job: job.id,
    token: await tokenOf(job),
    name: await nameOf(upload),
  }
  return baseUrl + inputPath.replace(/:(\w+)/g, (_, part: string) => parts[part] ?? '')
}

/** Whether this is the secret in the links of the job's input. The comparison uses hashes, so that its duration reveals nothing. */
export async function isTokenOf(job: Job, token: string): Promise<boolean> {
  const [received, own] = await Promise.all([sha256OfText(token), tokenOf(job).then(sha256OfText)])
  return received === own
}

/** The secret in the links of a job's input. It can be calculated only from the job's `clientToken`. */
function tokenOf({ clientToken }: Job): Promise<string> {
  return sha256OfText(`input ${clientToken}`)
}

/**
 * The last part of a link. It has the extension of the id, because some vendors derive the type from it. It does not
 * reveal the id.
 */
export async function nameOf({ id }: Pick<UploadId, 'id'>): Promise<string> {
  return `${(await sha256OfText(id)).slice(0, 16)}${id.slice(id.indexOf('.'))}`
}
