import type { FileStore, StoredFile } from '../contracts/storage/file-store.ts'
import type { Job } from '../contracts/job.ts'
import { isPrivateHost } from '../addresses/public-address.ts'
import { toBase64 } from '../text/base64.ts'
import { judgedBytes } from '../text/media-type.ts'
import { inputUrl, type UploadId } from './upload-reference.ts'
import type { UploadFile, UploadFiles } from './upload-files.ts'

/** The most bytes of files in the input of one job whose provider gets data URIs. A file counts once for each reference. */
const maxInlineBytes = 20 * 1024 * 1024
/** How long a link of the file store works, in milliseconds, unless its upload expires before. */
const linkLifeMs = 60 * 60_000

/** The form in which providers get files: links if a vendor on the internet can read them, otherwise data URIs. */
export interface InputForm {
  /** How many bytes all files of one job may have together; `Infinity` for links. */
  readonly maxInlineBytes: number
  /**
   * A text like the one that the provider will get, for schemas. No other file has the same.
   * @param file `undefined` for an output that is not there yet
   */
  standIn(id: UploadId, file: UploadFile | undefined): Promise<string>
  /** How many bytes of the file the text for the provider contains. */
  inlineBytes(file: UploadFile): number
  /** The text that a provider gets at the submit of the job. */
  link(job: Job, upload: UploadId, file: UploadFile): Promise<string>
}

/** The text for schemas if the provider gets a link. It leads nowhere. */
export function linkStandIn(name: string): string {
  return `https://uploads.invalid/${name}`
}

/**
 * Chooses the form: a link of the file store if it has `link`; else a link of this service if `baseUrl` is at https
 * and a public host; else a data URI.
 */
export function inputForm(
  files: FileStore,
  baseUrl: string | undefined,
  uploadFile: UploadFiles,
  now: () => number,
): InputForm {
  const linked = (link: InputForm['link']): InputForm => ({
    maxInlineBytes: Infinity,
    inlineBytes: () => 0,
    standIn: async ({ id }) => linkStandIn(id),
    link: link,
  })
  if (files.link)
    return linked((_job, { expiresAt }, { key }) =>
      uploadFile.link(key, Math.min(expiresAt, now() + linkLifeMs)),
    )
  if (baseUrl?.startsWith('https:') && !isPrivateHost(new URL(baseUrl).hostname))
    return linked((job, upload) => inputUrl(baseUrl, job, upload))
  return {
    maxInlineBytes,
    inlineBytes: ({ file }) => file?.size ?? 0,
    async standIn({ id, contentType }, stored) {
      const file = stored && openedIn(stored)
      // No schema reads more of a file than what shows its type.
      const head = file ? await uploadFile.read(file, judgedBytes) : headOf(contentType)
      const beginning = new Uint8Array(Math.ceil((head.byteLength + id.length) / 3) * 3)
      beginning.set(head)
      beginning.set(new TextEncoder().encode(id), head.byteLength)
      const base64 = toBase64(beginning)
      // It ends with zeros, by which a schema knows that the end of the file is not here.
      const length = Math.max(base64.length + 8, Math.ceil((file?.size ?? 0) / 3) * 4)
      return `data:${contentType};base64,${base64.padEnd(length, 'A')}`
    },
    async link(_job, { contentType }, stored) {
      return `data:${contentType};base64,${toBase64(await uploadFile.read(openedIn(stored)))}`
    },
  }
}

function openedIn({ file }: UploadFile): StoredFile {
  if (!file) throw new Error('The file store has neither open nor link.')
  return file
}

/** First bytes that show the type of an output which is not there yet. */
function headOf(contentType: string): Uint8Array {
  const head = contentType === 'video/mp4' ? '\0\0\0\x18ftypisom' : '\x89PNG\r\n\x1a\n'
  return Uint8Array.from(head, (character) => character.charCodeAt(0))
}
