import type { ComponentChildren } from 'preact'
import { addressOf } from '../address.ts'
import type { OperatorJob } from '../api/wire.ts'
import { Moment } from '../parts/moment.tsx'
import { Money } from '../parts/money.tsx'

const setbackWords: ReadonlyMap<string, string> = new Map([
  ['busy', 'the provider refused the call for now'],
  ['unreached', 'no connection to the provider was made'],
  ['no_answer', 'the call failed, or its answer was not valid'],
  ['account', 'the provider does not accept the account of this service, or does not have the model'],
  ['unknown_task', 'the provider did not know the task'],
  ['no_output', 'the provider reported a finished task without any output'],
  ['files', 'the file store could not store the outputs or read an upload'],
  ['input', 'another job, whose output the input refers to, has not finished'],
])

/** Who ordered what, who makes it, what it costs, and what has gone wrong. */
export function JobFacts({ job }: { job: OperatorJob }) {
  const { setback, outputs } = job
  return (
    <dl class="job-facts">
      <Fact name="Owner">
        <a href={addressOf('jobs', { state: 'all', owner: job.owner })}>
          <bdi>{job.owner}</bdi>
        </a>
      </Fact>
      {job.key !== null && (
        <Fact name="Key">
          <bdi>{job.key}</bdi>
        </Fact>
      )}
      <Fact name="Model">
        <bdi>{job.model}</bdi> <span class="faint">({job.kind})</span>
      </Fact>
      <Fact name="Provider">
        {job.provider === null ? <span class="faint">none yet</span> : <bdi>{job.provider}</bdi>}
        {job.provider_model !== null && job.provider_model !== job.model && (
          <span class="faint">
            {' '}
            as <bdi>{job.provider_model}</bdi>
          </span>
        )}
        {job.route !== null && (
          <span class="faint">
            {' '}
            by the route <bdi>{job.route}</bdi>
          </span>
        )}
      </Fact>
      <Fact name="Vendor's id">
        {job.task_id === null ? (
          <span class="faint">not known</span>
        ) : (
          <bdi class="code-text">{job.task_id}</bdi>
        )}
      </Fact>
      <Fact name="Cost">
        {job.status === 'processing' ? (
          <span class="faint">not known yet</span>
        ) : (
          <Money usd={job.cost_usd} />
        )}
        {job.reserved_usd !== null && (
          <span class="faint">
            , <Money usd={job.reserved_usd} /> reserved
          </span>
        )}
      </Fact>
      <Fact name="Submits">
        <span class="figures">{job.attempts}</span>
      </Fact>
      <Fact name="Latest setback">
        {setback ? (
          <>
            <Moment at={setback.at} />: {setbackWords.get(setback.why) ?? setback.why}
          </>
        ) : (
          <span class="faint">none</span>
        )}
      </Fact>
      <Fact name="Outputs">
        <span class="figures">{outputs}</span>
        {outputs > 0 && <span class="faint"> (only the owner's key opens them)</span>}
      </Fact>
    </dl>
  )
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
