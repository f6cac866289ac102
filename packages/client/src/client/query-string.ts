import type { JobFilter } from '../wire/job.ts'
import type { UsageFilter } from '../wire/usage.ts'
import type { DownloadOptions } from './client-options.ts'

/** Which file of a job, and in which form. */
type FileQuery = Omit<DownloadOptions, 'signal'> & { readonly n?: number | undefined }

/** The query string of these parameters, with its question mark. Empty when none has a value. */
export function queryString({
  metadata = {},
  ...parameters
}: JobFilter & UsageFilter & FileQuery = {}): string {
  const named = Object.entries(metadata).map(([key, value]) => [`metadata[${key}]`, value] as const)
  const query = [...Object.entries(parameters), ...named]
    .filter(([, value]) => value !== undefined)
    .map(
      ([name, value]) =>
        `${encodeURIComponent(name)}=${encodeURIComponent(value instanceof Date ? value.toISOString() : (value as string))}`,
    )
    .join('&')
  // React Native implements only a part of URLSearchParams.
  return query && `?${query}`
}
