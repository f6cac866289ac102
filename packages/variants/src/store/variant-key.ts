import type { VariantFormat } from '../plugin/variant-request.ts'

/** The prefix of the keys of all variants in the file store. */
export const variantPrefix = 'variants/'

/** What a file store can list: letters in lower case, digits and hyphens. Each id of a job begins with `gen_`. */
const idForm = /^gen_([a-z0-9]+)$/
const keyForm = /^variants\/([a-z0-9]+)-/

/** The beginning of the keys of all variants of a job. @returns `undefined` for an id that no job has */
export function variantPrefixOf(jobId: string): string | undefined {
  const [, rest] = idForm.exec(jobId) ?? []
  return rest === undefined ? undefined : `${variantPrefix}${rest}-`
}

/** The key of a variant. The same variant has the same key in all processes. */
export function variantKey(prefix: string, index: number, width: number, format: VariantFormat): string {
  return `${prefix}${index}-${width}-${format}`
}

/** The id of the job to whose output a key belongs. @returns `undefined` for a key that is not of a variant */
export function jobIdOf(key: string): string | undefined {
  const [, rest] = keyForm.exec(key) ?? []
  return rest === undefined ? undefined : `gen_${rest}`
}
