import { jobAddress } from '../address.ts'
import type { OperatorJob } from '../api/wire.ts'
import { useServiceNow } from '../live/service-clock.ts'
import { Mark } from '../parts/mark.tsx'
import { Moment } from '../parts/moment.tsx'
import { Money } from '../parts/money.tsx'
import type { Mood } from '../words/provider-words.ts'
import { withLocalTimes } from '../words/times.ts'

/** How the state of a job looks, and what it is called. */
export function stateOf({ phase, status }: OperatorJob): [Mood, string] {
  if (status === 'completed') return ['good', 'completed']
  if (status === 'failed') return ['bad', 'failed']
  return [phase === 'accepted' ? 'calm' : 'warn', phase]
}

/** One job in a list: who, what, since when, and why it waits or has failed. */
export function JobRow({ job, isOwing }: { job: OperatorJob; isOwing: boolean }) {
  const [mood, word] = stateOf(job)
  const { provider, provider_model, model } = job
  return (
    <li class="row">
      <Mark mood={mood}>{word}</Mark>
      <a class="row-id code-text" href={jobAddress(job.id)}>
        {job.id}
      </a>
      <bdi class="row-owner strong">{job.owner}</bdi>
      <span class="row-model">
        <bdi>{model}</bdi>
        {provider && (
          <span class="faint">
            {' '}
            at{' '}
            <bdi>
              {provider_model && provider_model !== model ? `${provider} (${provider_model})` : provider}
            </bdi>
          </span>
        )}
      </span>
      <span class="row-age faint">
        <Moment at={job.created_at} />
      </span>
      <RowWords job={job} isOwing={isOwing} />
    </li>
  )
}

function RowWords({ job, isOwing }: { job: OperatorJob; isOwing: boolean }) {
  const now = useServiceNow()
  const { error, waits_for, task_id, webhook } = job
  return (
    <div class="row-words">
      {error && (
        <p class="clamp">
          <span class="code-text">{error.code}</span> <bdi>{error.message}</bdi>
        </p>
      )}
      {error?.detail && (
        <p class="clamp faint">
          <span class="strong">For operators:</span> <bdi>{error.detail}</bdi>
        </p>
      )}
      {waits_for && (
        <p class="clamp">
          <bdi>{withLocalTimes(waits_for, now)}</bdi>
        </p>
      )}
      {isOwing && webhook && (
        <p class="clamp faint">
          To <bdi class="code-text">{webhook.url}</bdi>
          {webhook.failed > 0 && `, ${webhook.failed} failed so far`}
        </p>
      )}
      <p class="row-facts faint">
        {task_id !== null && (
          <span>
            Vendor's id <bdi class="code-text">{task_id}</bdi>
          </span>
        )}
        {job.status === 'processing' ? (
          job.reserved_usd !== null && (
            <span>
              <Money usd={job.reserved_usd} /> reserved
            </span>
          )
        ) : (
          <span>
            Cost <Money usd={job.cost_usd} />
            {job.cost_usd === null && job.reserved_usd !== null && (
              <>
                , <Money usd={job.reserved_usd} /> reserved
              </>
            )}
          </span>
        )}
      </p>
    </div>
  )
}
