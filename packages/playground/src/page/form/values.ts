import type { Field } from './field.ts'
import { jsonIn } from './json-in.ts'

/** A file that was chosen for a field, or the address of one. */
export interface ChosenFile {
  readonly key: string
  readonly name: string
  /** What `<img>` shows: a `blob:` address. `undefined` for an address at another origin, which the page does not load. */
  readonly preview: string | undefined
  /** What stands in the input. `undefined` while the file is being sent, and when it can't be. */
  readonly url: string | undefined
  /** Why it can't be sent, in words. */
  readonly error: string | undefined
}

/** What is in the form by the names of the fields. A field that is left alone has no value. */
export type Values = Readonly<Record<string, unknown>>

/** The files in the value of a field. */
export function filesIn(value: unknown): readonly ChosenFile[] {
  return Array.isArray(value)
    ? (value as readonly ChosenFile[]).filter((file) => file?.key !== undefined)
    : []
}

/** Files with one more, or with a later state of one of them. The oldest makes room where there is none. */
export function withFile(
  files: readonly ChosenFile[],
  file: ChosenFile,
  maxFiles: number,
): readonly ChosenFile[] {
  if (files.some(({ key }) => key === file.key))
    return files.map((one) => (one.key === file.key ? file : one))
  const isNew = file.url === undefined && file.error === undefined
  // A file that was taken away while it was being sent stays away.
  return isNew ? [...files, file].slice(-maxFiles) : files
}

/** The values that a reload can bring back: all but the files, which the browser does not keep. */
export function valuesToKeep(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => !Array.isArray(value)))
}

/** Whether the field is shown as wrong. `undefined` when its value can be sent. */
export function wrongValue(field: Field, values: Values): string | undefined {
  const value = values[field.name]
  if (field.kind === 'files') {
    const files = filesIn(values[field.name])
    const failed = files.find(({ error }) => error !== undefined)
    if (failed) return failed.error
    return field.isRequired && files.length === 0 ? `${field.label} is needed.` : undefined
  }
  const isEmpty = value === undefined || (typeof value === 'string' && value.trim() === '')
  if (isEmpty)
    return field.isRequired && field.fallback === undefined ? `${field.label} is needed.` : undefined
  if (field.kind === 'json')
    return jsonIn(String(value)) === undefined ? `${field.label} must be JSON.` : undefined
  if (typeof value !== 'number') return undefined
  const { min = -Infinity, max = Infinity } = field
  return value < min || value > max ? `${field.label} must be from ${min} to ${max}.` : undefined
}
