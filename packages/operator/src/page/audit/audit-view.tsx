import { Icon } from '@genmount/page-kit/page'
import { addressOf } from '../address.ts'
import { useTyped } from '../parts/use-typed.ts'
import { AuditList } from './audit-list.tsx'

/** What operators have done to all jobs, or to one. */
export function AuditView({ job }: { job: string }) {
  const [text, setText] = useTyped(job)
  return (
    <section aria-labelledby="log-title" class="stack">
      <header class="section-head">
        <h1 id="log-title">Audit log</h1>
        <form
          class="find"
          role="search"
          onSubmit={(event) => {
            event.preventDefault()
            location.hash = addressOf('audit', { job: text.trim() })
          }}
        >
          <Icon name="search" />
          <input
            class="input"
            type="search"
            aria-label="Only what was done to the job with this id"
            placeholder="Job id"
            autocomplete="off"
            spellcheck={false}
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        </form>
      </header>
      <div class="panel">
        <AuditList
          job={job}
          hasJobs
          none={job === '' ? 'No operator has changed anything yet.' : 'No operator has changed this job.'}
        />
      </div>
    </section>
  )
}
