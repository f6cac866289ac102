import type { Job, Model } from '@genmount/client'
import { Icon, useStore } from '@genmount/page-kit/page'
import type { JobCardProps } from '../jobs/job-card-props.ts'
import { JobCard } from '../jobs/job-card.tsx'

interface StageProps extends Pick<JobCardProps, 'client' | 'board'> {
  readonly models: readonly Model[]
  readonly onUse: (job: Job) => JobCardProps['onUse']
  readonly onReuse: (job: Job) => void
  /** Puts a prompt into the form. */
  readonly onPrompt: (prompt: string) => void
}

const examples = [
  'A lighthouse on a cliff at dawn',
  'Northern lights above snowy mountains',
  'A quiet forest lake in the rain',
]

/** The selected jobs, shown large, side by side. */
export function Stage({ client, board, models, onUse, onReuse, onPrompt }: StageProps) {
  const { jobs, stage, isRead } = useStore(board)
  const selected = stage.flatMap((id) => jobs.find((job) => job.id === id) ?? [])
  if (selected.length === 0)
    return <section class="stage empty">{isRead && <EmptyStage onPrompt={onPrompt} />}</section>
  return (
    <section class="stage" aria-label="Results" data-count={selected.length}>
      {selected.map((job) => (
        <div key={job.id} class="stage-place">
          <JobCard
            client={client}
            board={board}
            job={job}
            model={models.find(({ id }) => id === job.model)}
            onUse={onUse(job)}
            onReuse={() => onReuse(job)}
          />
          {selected.length > 1 && (
            <button type="button" class="button square tile-remove" onClick={() => board.hide(job)}>
              <Icon name="stop" />
              <span class="unseen">Put it away</span>
            </button>
          )}
        </div>
      ))}
    </section>
  )
}

function EmptyStage({ onPrompt }: Pick<StageProps, 'onPrompt'>) {
  return (
    <div class="empty-words">
      <span class="empty-picture">
        <Icon name="sparkle" />
      </span>
      <h2>Make something</h2>
      <p>Choose a model, say what you want to see, and press Generate. What you make shows up here.</p>
      <div class="chips">
        {examples.map((prompt) => (
          <button key={prompt} type="button" class="chip" onClick={() => onPrompt(prompt)}>
            {prompt}
          </button>
        ))}
      </div>
    </div>
  )
}
