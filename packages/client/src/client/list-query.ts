import type { JobFilter } from '../wire/job.ts'
import type { UsageFilter } from '../wire/usage.ts'

/** The query string of a list request, with its question mark. Empty when no filter is set. */
export function listQuery({ metadata = {}, ...filter }: JobFilter & UsageFilter = {}): string {
  const named = Object.entries(metadata).map(([key, value]) => [`metadata[${key}]`, value] as const)
  const query = [...Object.entries(filter), ...named]
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(textOf(value!))}`)
  // React Native implements only a part of URLSearchParams.
  return query.length === 0 ? '' : `?${query.join('&')}`
}

function textOf(value: string | number | Date | readonly string[]): string {
  return value instanceof Date ? value.toISOString() : String(value)
}
