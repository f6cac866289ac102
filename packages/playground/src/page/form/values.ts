import { ownValue } from '@genmount/page-kit/page'
import type { Field } from './field.ts'
import { readJobUrl } from '@genmount/client'
import { jsonIn } from './json-in.ts'

/** A file that was chosen for a field, or the address of a file. */
export interface ChosenFile {
  readonly key: string
  readonly name: string
  /**
   * What `<img>` shows: a `blob:` address. `undefined` for an address: the page does not load those of other origins, and
   * shows outputs as `usePreview` finds them.
   */
  readonly preview: string | undefined
  /** The URL for the input. `undefined` while the file is being uploaded, and after a failed upload. */
  readonly url: string | undefined
  /** Why the upload has failed, in words. */
  readonly error: string | undefined
}

/** The values of the form by field name. A field that the visitor left alone has no value. */
export type Values = Readonly<Record<string, unknown>>

/** A file at an address. */
export function fileAt(url: string): ChosenFile {
  return { key: url, name: nameOf(url), preview: undefined, url, error: undefined }
}

function nameOf(url: string): string {
  const { jobId, n } = readJobUrl(url) ?? {}
  if (jobId !== undefined) return `output ${Number(n) + 1} of ${jobId}`
  return url.startsWith('upload://') ? 'uploaded before' : URL.canParse(url) ? new URL(url).host : url
}

/** Whether a text is the address of a file, such as that of an upload or an output. */
export function isAddress(text: string): boolean {
  return /^(?:https?|upload|job):\/\/./.test(text)
}

/** The files in the value of a field. */
export function filesIn(value: unknown): readonly ChosenFile[] {
  return Array.isArray(value)
    ? (value as readonly ChosenFile[]).filter((file) => file?.key !== undefined)
    : []
}

/** The `blob:` addresses of all files in the form. */
export function previewsIn(values: Values): ReadonlySet<string> {
  const files = Object.values(values).flatMap(filesIn)
  return new Set(files.flatMap(({ preview }) => preview ?? []))
}

/** Adds a file that is not being uploaded. If the field is full, the oldest file is removed. */
export function withFileAt(
  files: readonly ChosenFile[],
  url: string,
  maxFiles: number,
): readonly ChosenFile[] {
  return [...files.filter(({ key }) => key !== url), fileAt(url)].slice(-maxFiles)
}

/** The key of the file whose link the visitor is still typing. */
export const typedKey = 'typed link'

/** Replaces the link that the visitor is typing. It counts from the first letter, so that Generate never leaves it out. */
export function withTypedLink(files: readonly ChosenFile[], typed: string): readonly ChosenFile[] {
  const others = files.filter(({ key }) => key !== typedKey)
  const link = typed.trim()
  if (link === '') return others
  if (isAddress(link)) return [...others, { ...fileAt(link), key: typedKey }]
  const error = `“${link}” is not a link. A link begins with https://`
  return [...others, { ...fileAt(link), key: typedKey, name: link, url: undefined, error }]
}

/** Adds a file, or replaces an earlier state of the same file. If the field is full, the oldest file is removed. */
export function withFile(
  files: readonly ChosenFile[],
  file: ChosenFile,
  maxFiles: number,
): readonly ChosenFile[] {
  if (files.some(({ key }) => key === file.key))
    return files.map((one) => (one.key === file.key ? file : one))
  const isNew = file.url === undefined && file.error === undefined
  // A file that the visitor removed during its upload stays removed.
  return isNew ? [...files, file].slice(-maxFiles) : files
}

/** The values that a reload can restore: all but the files, which the browser does not keep. */
export function valuesToKeep(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => !Array.isArray(value)))
}

/** Why the value of a field can't be sent, in words. `undefined` if the value can be sent. */
export function wrongValue(field: Field, values: Values): string | undefined {
  const value = ownValue(values, field.name)
  if (field.kind === 'files') {
    const files = filesIn(ownValue(values, field.name))
    const failed = files.find(({ error }) => error !== undefined)
    if (failed) return failed.error
    return field.isRequired && files.length === 0 ? `${field.label} is needed.` : undefined
  }
  const isEmpty = value === undefined || (typeof value === 'string' && value.trim() === '')
  // The page chooses a seed for a field that is empty.
  const isNeeded = field.isRequired && field.fallback === undefined && field.kind !== 'seed'
  if (isEmpty) return isNeeded ? `${field.label} is needed.` : undefined
  if (field.kind === 'json')
    return jsonIn(String(value)) === undefined ? `${field.label} must be JSON.` : undefined
  if (typeof value !== 'number') return undefined
  const { min = -Infinity, max = Infinity } = field
  return value < min || value > max ? `${field.label} must be from ${min} to ${max}.` : undefined
}
