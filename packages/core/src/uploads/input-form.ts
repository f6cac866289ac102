import type { FileStore } from '../contracts/file-store.ts'
import type { Job } from '../contracts/job.ts'
import { isPrivateHost } from '../addresses/public-address.ts'
import { toBase64 } from '../text/base64.ts'
import { judgedBytes } from '../text/media-type.ts'
import { inputUrl, type UploadId, uploadsIn, uploadUrl } from './upload-reference.ts'
import type { UploadFile, UploadFiles } from './upload-files.ts'
import type { JsonObject } from '../contracts/json.ts'
import type { SubmitInput } from '../contracts/service-plugin.ts'
import { byteBudget } from '../sharing/shared-room.ts'
import { mapTexts } from '../text/json-values.ts'

/**
 * The most bytes of uploads in the input of one job whose provider gets data URIs. An upload counts once for each
 * reference.
 */
const maxInlineBytes = 20 * 1024 * 1024
/** How long a link of the file store works, in milliseconds, unless its upload expires before. */
const linkLifeMs = 60 * 60_000

/** The form in which providers get uploads: links if a vendor on the internet can read them, otherwise data URIs. */
export interface InputForm {
  /** How many bytes all uploads of one job may have together; `Infinity` for links. */
  readonly maxInlineBytes: number
  /** A text like the one that the provider will get, for schemas. No other upload has the same. */
  standIn(upload: UploadId, file: UploadFile): Promise<string>
  /** How many bytes of the file the text for the provider contains. */
  inlineBytes(file: UploadFile): number
  /** The text that a provider gets at the submit of the job. */
  link(job: Job, upload: UploadId, file: UploadFile): Promise<string>
}

/** The text for schemas if the provider gets a link. */
function linkStandIn({ id }: UploadId): string {
  return `https://uploads.invalid/${id}`
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
    standIn: async (upload) => linkStandIn(upload),
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
    async standIn({ id, contentType }, { file }) {
      if (!file) throw new Error('The file store has neither open nor link.')
      // No schema reads more of a file than what shows its type.
      const head = await uploadFile.read(file, judgedBytes)
      const beginning = new Uint8Array(Math.ceil((head.byteLength + id.length) / 3) * 3)
      beginning.set(head)
      beginning.set(new TextEncoder().encode(id), head.byteLength)
      const base64 = toBase64(beginning)
      // It ends with zeros, by which a schema knows that the end of the file is not here.
      const length = Math.max(base64.length + 8, Math.ceil(file.size / 3) * 4)
      return `data:${contentType};base64,${base64.padEnd(length, 'A')}`
    },
    async link(_job, { contentType }, { file }) {
      if (!file) throw new Error('The file store has neither open nor link.')
      return `data:${contentType};base64,${toBase64(await uploadFile.read(file))}`
    },
  }
}

/**
 * How many bytes of uploads all submits of this process hold within data URIs at the same time. Without a limit, many jobs
 * that refer to one upload would fill the memory.
 */
const maxHeldBytes = 96 * 1024 * 1024

/** Makes the part of a service that passes uploads to providers. `given` rejects when the file store fails. */
export function uploadsOfJobs(form: InputForm, uploadFiles: UploadFiles) {
  const held = byteBudget(maxHeldBytes)

  async function submitInput(job: Job, input: JsonObject): Promise<SubmitInput> {
    const uploads = uploadsIn(input)
    const releases: (() => void)[] = []
    const letGo = () => {
      for (const release of releases.splice(0)) release()
    }
    const texts = new Map<string, string>()
    for (const [url, upload] of byUrl(uploads)) {
      const file = await uploadFiles.find(job.owner, upload)
      // The provider's request contains a text once for each time that the input contains it.
      const times = uploads.filter(({ id }) => id === upload.id).length
      const release = file && held.hold(times * form.inlineBytes(file))
      if (!file || !release) {
        letGo()
        return file ? { later: {} } : { gone: `The upload ${url} is no longer there.` }
      }
      releases.push(release)
      texts.set(
        url,
        await form.link(job, upload, file).catch((fault: unknown) => (letGo(), Promise.reject(fault))),
      )
    }
    return { input: mapTexts(input, (text) => texts.get(text) ?? text) as JsonObject, letGo }
  }

  const byUrl = (uploads: readonly UploadId[]) =>
    new Map(uploads.map((upload) => [uploadUrl(upload), upload]))

  return {
    submitInput,
    /** The input for a provider that already has the task. Its links lead nowhere, because nobody reads them again. */
    taskInput(task: JsonObject) {
      const urls = byUrl(uploadsIn(task))
      const standInOf = (text: string) => {
        const upload = urls.get(text)
        return upload ? linkStandIn(upload) : text
      }
      return mapTexts(task, standInOf) as JsonObject
    },
  }
}
