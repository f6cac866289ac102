import type { StoredFile } from '../storage/file-store.ts'

/** A file that a client has uploaded, for the inputs of jobs. */
export interface Upload {
  /** The id of the upload. It is random and can't be guessed. */
  readonly id: string
  /** The text by which an input refers to the upload: `upload://` and the id. */
  readonly url: string
  /** The media type, as the first bytes of the file show it. */
  readonly contentType: string
  /** The size of the file, in bytes. */
  readonly bytes: number
  /** The SHA-256 of the file in lower-case hexadecimal. `undefined` when the file store does not know it. */
  readonly sha256: string | undefined
  /** When the upload was stored, in milliseconds since the Unix epoch. */
  readonly createdAt: number
  /** When the upload expires, in milliseconds since the Unix epoch. From then on no new job can use it. */
  readonly expiresAt: number
}

/** Takes files of clients, which the inputs of their jobs then refer to. */
export interface Uploads {
  /** The largest file that is accepted, in bytes. */
  readonly maxBytes: number

  /**
   * Stores an image, video or audio file whole or not at all. Its first bytes determine its type. The stream is canceled
   * when the file is refused.
   * @param announced `bytes`: the expected length of the file. A file for which the owner has no room left is then
   *   refused before it arrives. The length need not be right. @default unknown
   * @returns the upload, once it is in the file store
   * @throws GenerationError `unsupported_media_type`, `request_too_large`, `insufficient_quota`, `capacity_exceeded`,
   *   `store_unavailable` or `shutting_down`; `invalid_request` for an empty file; the error of the stream
   * @example const { url } = await service.uploads.store('alice', file.stream())
   */
  store(
    owner: string,
    body: ReadableStream<Uint8Array>,
    announced?: { readonly bytes?: number | undefined },
  ): Promise<Upload>

  /**
   * Deletes the owner's upload. A job that is not submitted yet and refers to it will fail as `input_fetch_failed`.
   * @throws GenerationError `file_not_found`, which is the same for unknown and expired uploads and those of other owners;
   *   `store_unavailable`
   */
  delete(id: string, owner: string): Promise<void>

  /**
   * Finds the file behind a link that a provider was given for the input of a job. The link works until the job ends.
   * If the job fails as `submit_ambiguous`, the link works until the job expires, because the provider may have the task.
   * @param token the secret in the link
   * @param name the last part of the link
   * @returns `undefined` for a link that is wrong or has ended
   * @throws GenerationError `store_unavailable`
   */
  openInput(
    jobId: string,
    token: string,
    name: string,
  ): Promise<
    | {
        /** The owner of the upload. */
        readonly owner: string
        /** The file. */
        readonly file: StoredFile
      }
    | undefined
  >
}

/** The path of the link by which a provider reads an upload that belongs to the input of a job. */
export const inputPath = '/v1/inputs/:job/:token/:name'

/** The beginning of each text by which an input refers to an upload. */
export const scheme = 'upload://'

/** Whether a text of an input has the form of a reference to an upload. The upload need not exist. */
export function isUploadUrl(text: string): boolean {
  return text.startsWith(scheme)
}

/** The prefix of the keys of all uploads in the file store. */
export const uploadPrefix = 'uploads/'
