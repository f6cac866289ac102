import { useEffect, useState } from 'preact/hooks'
import { addressOf } from '../address.ts'
import { usePolled } from '../live/use-polled.ts'
import { FailureNotice } from '../parts/failure-notice.tsx'
import { Lacking } from '../parts/lacking.tsx'
import { Pager } from '../parts/pager.tsx'
import { useSession } from '../session.ts'
import { JobFilters } from './job-filters.tsx'
import { JobRow } from './job-row.tsx'
import { findJobs } from './job-search.ts'

/** The lists of jobs, by their names in the address. */
const tabs = [
  ['unfinished', 'Running', 'No job is running.'],
  ['failed', 'Failed', 'No job has failed.'],
  ['owing', 'Owing', 'No finished job owes a webhook or a copy of an output.'],
  ['all', 'All', 'There is no job.'],
] as const

/** The jobs of all owners: lists by state, a search, and filters. All of it stands in the address. */
export function JobsView({ query }: { query: Readonly<Record<string, string>> }) {
  const { api, overview } = useSession()
  const { features } = overview
  const text = query['q'] ?? ''
  // A search goes through all jobs, unless the operator chooses a list.
  const tab = tabs.find(([name]) => name === query['state']) ?? tabs[text === '' ? 0 : 3]
  const [name, , none] = tab
  const [owner, model] = [query['owner'], query['model']]
  const [cursors, setCursors] = useState<readonly string[]>([])
  const place = JSON.stringify([name, text, owner, model])
  useEffect(() => setCursors([]), [place])
  const cursor = cursors.at(-1)
  const state = name === 'all' ? undefined : name
  const { value, error, reload } = usePolled(JSON.stringify([place, cursor]), (signal) =>
    findJobs(api, text, { state, owner, model, cursor }, features, signal),
  )
  const isListed = features.list || text !== '' || owner !== undefined
  const isFiltered = text !== '' || owner !== undefined || model !== undefined
  return (
    <section class="jobs" aria-labelledby="jobs-title">
      <h2 id="jobs-title" class="unseen">
        Jobs
      </h2>
      <div class="jobs-bar">
        <nav class="tabs" aria-label="Lists of jobs">
          {tabs.map(([one, words]) => (
            <a
              key={one}
              class="tab"
              href={addressOf('jobs', { ...query, state: one })}
              aria-current={one === name ? 'true' : undefined}
            >
              {words}
            </a>
          ))}
        </nav>
        <JobFilters query={query} models={overview.models} />
      </div>
      {value?.words && (
        <p class="faint search-words">
          <bdi>{value.words}</bdi>
        </p>
      )}
      <FailureNotice error={isListed ? error : undefined} onRetry={reload} />
      {!isListed && <Lacking feature="list" />}
      {isListed && value === undefined && error === undefined && <p class="blank faint">Looking…</p>}
      {isListed && value?.data.length === 0 && (
        <p class="blank faint">
          {!isFiltered && none}
          {isFiltered && (value.has_more ? 'None on this page; older pages may have some.' : 'No job fits.')}
        </p>
      )}
      {value && value.data.length > 0 && (
        <ul class="rows">
          {value.data.map((job) => (
            <JobRow key={job.id} job={job} isOwing={name === 'owing'} />
          ))}
        </ul>
      )}
      <Pager label="jobs" cursors={cursors} next={value?.next_cursor} onChange={setCursors} />
    </section>
  )
}
