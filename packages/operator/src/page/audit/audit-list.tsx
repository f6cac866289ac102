import { useEffect, useState } from 'preact/hooks'
import { jobAddress } from '../address.ts'
import type { AuditEntry, List } from '../api/wire.ts'
import { usePolled } from '../live/use-polled.ts'
import { FailureNotice } from '../parts/failure-notice.tsx'
import { Lacking } from '../parts/lacking.tsx'
import { Moment } from '../parts/moment.tsx'
import { Pager } from '../parts/pager.tsx'
import { useSession } from '../session.ts'

interface AuditListProps {
  /** Only what was done to this job. `''`: everything */
  readonly job: string
  /** What to say when there is nothing. */
  readonly none: string
  /** Whether each entry says which job it is about. */
  readonly hasJobs: boolean
  /** How many acts this page has done: with each one the log is read at once. @default 0 */
  readonly acts?: number
}

/** What operators have done, the latest first. */
export function AuditList({ job, none, hasJobs, acts = 0 }: AuditListProps) {
  const { api, overview } = useSession()
  const [cursors, setCursors] = useState<readonly string[]>([])
  useEffect(() => setCursors([]), [job])
  const cursor = cursors.at(-1)
  const isKept = overview.features.audit
  const { value, error, reload } = usePolled(JSON.stringify([job, cursor, isKept]), async (signal) =>
    isKept ? api.get<List<AuditEntry>>('/audit', { job: job || undefined, cursor }, signal) : undefined,
  )
  useEffect(() => {
    if (acts > 0) reload()
  }, [acts])
  if (!isKept) return <Lacking feature="audit" />
  return (
    <>
      <FailureNotice error={error} onRetry={reload} />
      {value?.data.length === 0 && <p class="faint">{none}</p>}
      {value && value.data.length > 0 && (
        <ul class="entries">
          {value.data.map((entry) => (
            <li key={entry.id} class="entry">
              <span class="entry-head">
                <span class="strong">{entry.action}</span> by <bdi>{entry.by}</bdi>{' '}
                <span class="faint">
                  <Moment at={entry.at} />
                </span>
              </span>
              {hasJobs && (entry.job ?? entry.owner) !== null && (
                <span class="entry-about">
                  {entry.job !== null && (
                    <a class="code-text" href={jobAddress(entry.job)}>
                      {entry.job}
                    </a>
                  )}
                  {entry.owner !== null && (
                    <span class="faint">
                      {' '}
                      of <bdi>{entry.owner}</bdi>
                    </span>
                  )}
                </span>
              )}
              <p class="clamp">
                “<bdi>{entry.why}</bdi>”
              </p>
              <p class="faint">
                {entry.outcome === null ? (
                  'Nobody knows what came of it: the process ended meanwhile, or it still runs.'
                ) : (
                  <>
                    Outcome: <Outcome text={entry.outcome} />
                  </>
                )}
              </p>
            </li>
          ))}
        </ul>
      )}
      <Pager label="the audit log" cursors={cursors} next={value?.next_cursor} onChange={setCursors} />
    </>
  )
}

/** What came of an act: the id of a job is a link. */
function Outcome({ text }: { text: string }) {
  if (/^gen_[\w-]+$/.test(text))
    return (
      <a class="code-text" href={jobAddress(text)}>
        {text}
      </a>
    )
  return <bdi>{text}</bdi>
}
