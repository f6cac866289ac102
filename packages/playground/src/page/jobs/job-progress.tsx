import type { GenerationProgress, Job } from '@genmount/client'
import { duration, plural, roughTime, useNow, useStore } from '@genmount/page-kit/page'
import { serviceReach } from '../parts/service-reach.ts'
import { errorWords } from '../words/error-words.ts'

interface JobProgressProps {
  readonly job: Job
  readonly news: GenerationProgress | undefined
  /** Why the job can't be read at the moment. `undefined` when it can be read. */
  readonly lost: unknown
  /** How long the model usually takes, in seconds. */
  readonly typicalSeconds: number | null
}

/** The progress of a running job: what its provider reports, and how long the job has taken so far. */
export function JobProgress({ job, news, lost, typicalSeconds }: JobProgressProps) {
  const elapsedMs = Math.max(0, useNow(200) - Date.parse(job.created_at))
  const { isLost } = useStore(serviceReach)
  const { progress, queuePosition } = news ?? {}
  const isDone = job.status === 'completed'
  const percent = isDone ? 100 : progress === undefined ? undefined : Math.round(progress * 100)
  const usually = typicalSeconds ? `, usually ${roughTime(typicalSeconds)}` : ''
  return (
    <div class="progress">
      <div class="progress-words">
        <span role="status">
          {isLost
            ? 'The service does not answer. Nothing is lost: your job continues, and the page goes on looking.'
            : lost === undefined
              ? stateWords(job, percent, queuePosition)
              : `${errorWords(lost).title}. Trying again…`}
        </span>
        {!isLost && !isDone && (
          <span class="faint figures" aria-hidden="true">
            {duration(elapsedMs)}
            {usually}
          </span>
        )}
      </div>
      <progress
        class={percent === undefined ? 'bar unknown' : 'bar'}
        aria-label="Progress"
        max={100}
        {...(percent !== undefined && { value: percent })}
      />
    </div>
  )
}

function stateWords(job: Job, percent: number | undefined, queuePosition: number | undefined): string {
  if (job.status === 'completed') return 'Done. Loading it…'
  if (queuePosition !== undefined && queuePosition > 0 && !percent)
    return `In the queue, ${plural(queuePosition, 'job')} before`
  if (percent !== undefined && percent > 0) return `${percent} % done`
  return job.started_at === null ? 'Waiting for the provider' : 'Working'
}
