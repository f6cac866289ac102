import { type FileFetch, type JsonObject, mediaTypeOf, type Output, type OutputKind } from '@genmount/core'
import { type AnswerFiles, listedFiles } from './answer-files.ts'
import type { AnsweredFile } from './answered-file.ts'
import { nounOf } from './files-report.ts'

/** What the links in a text must lead to, and how to find out. */
export interface LinkProof {
  /** The kind of the model's outputs. */
  readonly kind: OutputKind
  /** Fetches what is behind a link. */
  readonly fetchFile: FileFetch
  /** Ends the look. */
  readonly signal: AbortSignal
  /** The input of the task. A link in it is no output: models repeat what they were given. */
  readonly input: JsonObject
  /** The owner of the task. */
  readonly owner: string | undefined
}

/** The most links of an answer that are tried. */
const maxLinks = 10
/** How many first bytes show the type of a file. */
const headBytes = 4096
const limits = { accept: ['*/*'], maxBytes: 1024 ** 3, timeoutMs: 20_000 }

/**
 * Tells the pictures and films that a model has linked in its text from other links: models refer to pages, and invent
 * links. A link counts if the first bytes behind it are of the right kind. Other files are returned as they are.
 * @throws the reason of `signal`, when `signal` aborts
 */
export async function provenFiles(files: AnswerFiles, proof: LinkProof): Promise<AnswerFiles> {
  const input = JSON.stringify(proof.input)
  const isGiven = (link = '') => link !== '' && input.includes(JSON.stringify(link).slice(1, -1))
  const tried = new Set(
    files.list
      .filter(({ isInText, output, text }) => isInText && output && !isGiven(text))
      .slice(0, maxLinks),
  )
  const list = await Promise.all(
    files.list.map(async (file): Promise<AnsweredFile> => {
      const { output, isInText, at, text } = file
      if (!isInText || !output || (tried.has(file) && (await isOfKind(output, proof)))) return file
      return {
        at,
        isInText,
        fault: `is a link that leads to no ${nounOf(proof.kind).split(' ')[1]}`,
        text: text ?? '',
      }
    }),
  )
  return listedFiles(list)
}

async function isOfKind(output: Output, { kind, fetchFile, signal, owner }: LinkProof): Promise<boolean> {
  if ('bytes' in output) return isMedia(output.bytes, kind)
  for (let attempt = 1; ; attempt++) {
    try {
      const { body } = await fetchFile(output.url, { ...limits, signal, owner })
      return isMedia(await headOf(body), kind)
    } catch (error) {
      signal.throwIfAborted()
      const { retryable } = error as { readonly retryable?: boolean }
      if (retryable === false || attempt === 3) return false
    }
  }
}

function isMedia(bytes: Uint8Array, kind: OutputKind): boolean {
  return mediaTypeOf(bytes)?.startsWith(`${kind}/`) ?? false
}

/** The first bytes of a file. The rest is not fetched. */
async function headOf(body: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const reader = body.getReader()
  const chunks: Uint8Array[] = []
  let length = 0
  while (length < headBytes) {
    const { done, value } = await reader.read()
    if (done) break
    chunks.push(value)
    length += value.byteLength
  }
  // A body that has broken off can't be canceled.
  await reader.cancel().catch(() => {})
  return new Uint8Array(await new Blob(chunks as BlobPart[]).arrayBuffer())
}
