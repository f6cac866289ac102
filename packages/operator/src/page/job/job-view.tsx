import { useEffect, useRef, useState } from 'preact/hooks'
import { lastList } from '../address.ts'
import { ApiError } from '../api/api-error.ts'
import type { Act, WholeJob } from '../api/wire.ts'
import { AuditList } from '../audit/audit-list.tsx'
import { stateOf } from '../jobs/job-row.tsx'
import { useServiceNow } from '../live/service-clock.ts'
import { usePolled } from '../live/use-polled.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { FailureNotice } from '../parts/failure-notice.tsx'
import { Mark } from '../parts/mark.tsx'
import { useSession } from '../session.ts'
import { withLocalTimes } from '../words/times.ts'
import { ActDialog } from './act-dialog.tsx'
import { Deliveries } from './deliveries.tsx'
import { JobActs } from './job-acts.tsx'
import { JobFacts } from './job-facts.tsx'
import { JobTimes } from './job-times.tsx'

/** Everything of one job, at its own address. */
export function JobView({ id }: { id: string }) {
  const { api } = useSession()
  const { value, error, reload } = usePolled(id, (signal) =>
    api.get<WholeJob>(`/jobs/${encodeURIComponent(id)}`, {}, signal),
  )
  // Outside of what a deleted job no longer shows, so that the dialog can say that it was deleted.
  const [acting, setActing] = useState<{ readonly act: Act; readonly job: WholeJob }>()
  const [acts, setActs] = useState(0)
  const back = useRef<HTMLAnchorElement>(null)
  const isGone = error instanceof ApiError && error.status === 404
  const isDeleted = isGone && value !== undefined && acting === undefined
  // The button that had opened the dialog is gone with the job.
  useEffect(() => {
    if (isDeleted) back.current?.focus()
  }, [isDeleted])
  function onDone() {
    reload()
    setActs(acts + 1)
  }

  return (
    <article class="job" aria-labelledby="job-title">
      <a class="back" ref={back} href={lastList()}>
        ‹ All jobs
      </a>
      <header class="job-head">
        <h1 id="job-title" class="code-text">
          <bdi>{id}</bdi>
        </h1>
        <CopyButton text={id} label="Copy the id" />
        {value && !isGone && <State job={value} />}
      </header>
      <FailureNotice error={error} onRetry={isGone ? undefined : reload} />
      {value === undefined && error === undefined && <p class="blank faint">Looking…</p>}
      {value && !isGone && <Whole job={value} onAct={(act) => setActing({ act, job: value })} />}
      <section class="panel" aria-labelledby="audit-title">
        <h2 id="audit-title">What operators did to it</h2>
        <AuditList job={id} none="No operator has changed this job." hasJobs={false} acts={acts} />
      </section>
      {acting && <ActDialog {...acting} onDone={onDone} onClose={() => setActing(undefined)} />}
    </article>
  )
}

function State({ job }: { job: WholeJob }) {
  const [mood, word] = stateOf(job)
  return <Mark mood={mood}>{word}</Mark>
}

function Whole({ job, onAct }: { job: WholeJob; onAct: (act: Act) => void }) {
  const now = useServiceNow()
  const { error, waits_for, webhook } = job
  return (
    <>
      {waits_for && (
        <p class="clamp job-words">
          <bdi>{withLocalTimes(waits_for, now)}</bdi>
        </p>
      )}
      {error && (
        <div class="notice bad job-error" tabIndex={0} role="region" aria-label="Why it has failed">
          <p>
            <strong>For the owner:</strong> <span class="code-text">{error.code}</span>{' '}
            <bdi>{error.message}</bdi>
          </p>
          <p>
            <strong>For operators:</strong>{' '}
            {error.detail ? (
              <bdi class="code-text">{error.detail}</bdi>
            ) : (
              'The provider has said nothing more.'
            )}
          </p>
        </div>
      )}
      <JobActs job={job} onAct={onAct} />
      <JobTimes job={job} />
      <JobFacts job={job} />
      <div class="panels">
        <section class="panel">
          <h2>Input</h2>
          <Json value={job.input} label="Input" />
        </section>
        <section class="panel">
          <h2>Handle of the provider</h2>
          {job.handle === null ? (
            <p class="faint">It has none: the provider has not confirmed a task.</p>
          ) : (
            <Json value={job.handle} label="Handle" />
          )}
        </section>
      </div>
      {webhook && <Deliveries webhook={webhook} />}
    </>
  )
}

function Json({ value, label }: { value: unknown; label: string }) {
  return (
    <pre class="json code-text" tabIndex={0} role="region" aria-label={label} dir="ltr">
      {JSON.stringify(value, undefined, 2)}
    </pre>
  )
}
