import { useEffect, useState } from 'preact/hooks'

export const views = ['jobs', 'spend', 'keys', 'audit', 'webhooks'] as const
export type View = (typeof views)[number]

/** What the page shows, as its address says it: `#/jobs?state=failed`, `#/jobs/gen_1`. */
export interface Address {
  readonly view: View
  /** The id of a job, if the address is that of a job. */
  readonly job: string | undefined
  readonly query: Readonly<Record<string, string>>
}

export function readAddress(hash: string): Address {
  const [path = '', search = ''] = hash.replace(/^#\/?/, '').split('?', 2)
  const [name, id] = path.split('/', 2)
  const view = views.find((one) => one === name) ?? 'jobs'
  const job = view === 'jobs' && id ? decoded(id) : undefined
  return { view, job, query: Object.fromEntries(new URLSearchParams(search)) }
}

/** The address of a view, for links. Parameters without a value are left out. */
export function addressOf(path: string, query: Readonly<Record<string, string | undefined>> = {}): string {
  const filled = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]))
  return `#/${path}${filled.length > 0 ? `?${new URLSearchParams(filled)}` : ''}`
}

let list = '#/jobs'

/** The address of the list that was shown last, with its search and filters. */
export const lastList = () => list

export const jobAddress = (id: string) => `#/jobs/${encodeURIComponent(id)}`

/** The current address. The component renders again when it changes. */
export function useAddress(): Address {
  const [hash, setHash] = useState(location.hash)
  useEffect(() => {
    const look = () => setHash(location.hash)
    addEventListener('hashchange', look)
    return () => removeEventListener('hashchange', look)
  }, [])
  const address = readAddress(hash)
  if (address.view === 'jobs' && address.job === undefined) list = hash || '#/jobs'
  return address
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
