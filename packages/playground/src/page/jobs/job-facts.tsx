import type { Job } from '@genmount/client'
import { dollars, duration, timeUntil, useNow } from '@genmount/page-kit/page'
import { Fragment } from 'preact'

/** The most characters that are shown of one value of the input. */
const longest = 300

/** The figures of a job, and its input. */
export function JobFacts({ job }: { job: Job }) {
  const now = useNow(30_000)
  const { prompt: _, ...input } = job.input
  const isOver = job.status !== 'processing'
  const facts: readonly (readonly [string, string])[] = [
    ['Model', job.model],
    ...(input['seed'] === undefined ? [] : [['Seed', String(input['seed'])] as const]),
    ...(isOver ? [['Cost', dollars(job.cost_usd)] as const] : []),
    ...(job.timings.inference_ms > 0 ? [['Took', duration(job.timings.inference_ms)] as const] : []),
    ['Kept for', timeUntil(job.expires_at, now)],
  ]
  const inputs = Object.entries(input)
  return (
    <>
      <dl class="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <details class="more">
        <summary>Details</summary>
        <dl class="details">
          <dt>Job</dt>
          <dd class="code-text">
            <a class="link" href={`#job=${job.id}`}>
              {job.id}
            </a>
          </dd>
          <dt>Created</dt>
          <dd>{new Date(job.created_at).toLocaleString()}</dd>
          {inputs.map(([name, value]) => (
            <Fragment key={name}>
              <dt>{name}</dt>
              <dd>{textOf(value)}</dd>
            </Fragment>
          ))}
        </dl>
        <details class="more">
          <summary>JSON</summary>
          <pre class="code" tabIndex={0} aria-label="The job as JSON">
            {JSON.stringify(job, (_name, value: unknown) => shortText(value), 2)}
          </pre>
        </details>
      </details>
    </>
  )
}

function textOf(value: unknown): string {
  return String(shortText(typeof value === 'string' ? value : JSON.stringify(value)))
}

function shortText(value: unknown): unknown {
  return typeof value === 'string' && value.length > longest ? `${value.slice(0, longest)}…` : value
}
