import { factWords } from '@genmount/client/fact-words'
import { Dialog, Icon, ownValue, useStore } from '@genmount/page-kit/page'
import { useState } from 'preact/hooks'
import { JobActions } from './job-actions.tsx'
import type { JobCardProps } from './job-card-props.ts'
import { JobFacts } from './job-facts.tsx'
import { JobFailure } from './job-failure.tsx'
import { JobOutput } from './job-output.tsx'
import { posterOf } from './output.ts'
import { JobProgress } from './job-progress.tsx'
import { shapeOf, titleOf } from './shape-of.ts'
import { useOutputFacts } from './use-output-facts.ts'
import { useOutput } from './use-output.ts'
import { drawnWords } from '../words/drawn-words.ts'

/** A large view of one job: its progress, its output or why it failed, and its buttons. */
export function JobCard(props: JobCardProps) {
  const { client, board, job, model } = props
  const { news, lost } = useStore(board)
  const [n, setN] = useState(0)
  const [isLarge, setIsLarge] = useState(false)
  const loaded = useOutput(client, job, n)
  const { output: poster } = useOutput(client, job, n, job.output_kind === 'video', posterOf)
  const facts = useOutputFacts(client, job)?.[n]
  const revised = facts?.revised_prompt
  const preview = ownValue(news, job.id)?.preview
  const isRunning = job.status === 'processing'
  const isLoading = job.status === 'completed' && !loaded.output && loaded.error === undefined

  return (
    <article class="card" aria-label={titleOf(job)}>
      <div class="screen" style={{ '--shape': String(shapeOf(job)) }} aria-busy={isRunning}>
        {isRunning && preview !== undefined && <img class="media preview" src={preview} alt="Preview" />}
        {isLoading && poster && <img class="media preview" src={poster.src} alt="" />}
        {isRunning && preview === undefined && (
          <span class="shimmer">
            <Icon name={job.output_kind} />
          </span>
        )}
        {job.status === 'failed' && <JobFailure error={job.error} />}
        {job.status === 'completed' && !isLoading && (
          <JobOutput job={job} {...loaded} poster={poster} onEnlarge={() => setIsLarge(true)} />
        )}
        {(isRunning || isLoading) && (
          <JobProgress
            job={job}
            news={ownValue(news, job.id)}
            lost={ownValue(lost, job.id)}
            typicalSeconds={model?.typical_seconds ?? null}
          />
        )}
      </div>
      {job.data.length > 1 && (
        <div class="segments" role="radiogroup" aria-label="Output">
          {job.data.map((_, index) => (
            <label key={index} class="segment">
              <input
                type="radio"
                name={`output-${job.id}`}
                checked={n === index}
                onChange={() => setN(index)}
              />
              <span>{index + 1}</span>
            </label>
          ))}
        </div>
      )}
      <div class="card-body">
        {facts && <p class="output-facts">{factWords(facts)}</p>}
        {typeof revised === 'string' && (
          <p class="output-facts">{drawnWords(job.input['prompt'], revised, model?.description)}</p>
        )}
        <p class="prompt">{titleOf(job)}</p>
        <JobFacts job={job} />
        <JobActions {...props} n={n} output={loaded.output} />
      </div>
      {isLarge && loaded.output && (
        <Dialog title={titleOf(job)} size="full" onClose={() => setIsLarge(false)}>
          <div class="enlarged">
            <img src={loaded.output.src} alt={titleOf(job)} />
          </div>
        </Dialog>
      )}
    </article>
  )
}
