import { readFile } from 'node:fs/promises'
import { addAbortSignal } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { type AnyModels, type Client, GenmountError, takesNoUploads } from '@genmount/client'
import type { Session } from '../program/session.ts'
import { UsageError } from '../program/usage-error.ts'

/** The largest file that is put into a create if the server takes no uploads, in bytes. */
const maxInlineBytes = 5_000_000
const signatures: readonly (readonly [RegExp, string])[] = [
  [/^\x89PNG/, 'image/png'],
  [/^\xff\xd8\xff/, 'image/jpeg'],
  [/^GIF8/, 'image/gif'],
  [/^RIFF....WEBP/s, 'image/webp'],
]

/**
 * Returns what the input contains in place of a file: the URL of an upload, or a data URI with the file if the server
 * takes no uploads. An address is returned unchanged. "-" reads the file from standard input.
 * @param option the option that names the file, for error messages
 */
export async function mediaUrl(
  session: Session,
  client: Client<AnyModels>,
  option: string,
  file: string,
): Promise<string> {
  if (/^(?:https?|upload|job|data):/i.test(file)) return file
  const bytes = await bytesOf(session, option, file)
  if (bytes.length === 0) throw new UsageError(`${option}: ${file} is empty.`)
  try {
    return (await client.upload(bytes, { signal: session.signal })).url
  } catch (error) {
    const [, type] = signatures.find(([start]) => start.test(bytes.toString('latin1', 0, 16))) ?? []
    if (!takesNoUploads(error) || type === undefined || bytes.length > maxInlineBytes)
      throw named(error, `${option} ${file}`)
    return `data:${type};base64,${bytes.toString('base64')}`
  }
}

/**
 * Adds the name of the file to an error by which the server refuses its bytes, because the command may send several
 * files.
 */
function named(error: unknown, file: string): unknown {
  if (!(error instanceof GenmountError) || ![400, 413, 415].includes(error.status ?? 0)) return error
  const { code, message, status, requestId, param } = error
  return new GenmountError(code, `${file}: ${message}`, { status, requestId, param })
}

async function bytesOf(
  { stdin, signal }: Session,
  option: string,
  file: string,
): Promise<Buffer<ArrayBuffer>> {
  if (file === '-') return Buffer.from(await buffer(addAbortSignal(signal, stdin)))
  try {
    return Buffer.from(await readFile(file))
  } catch (cause) {
    throw new UsageError(`${option} can't be read: ${(cause as Error).message}`, { cause })
  }
}
