import type { OperatorJob } from '../api/wire.ts'
import { useServiceNow } from '../live/service-clock.ts'
import { instantWords, relative, span } from '../words/times.ts'

/** When the job went through its life, from its creation until it expires, in the order of the instants. */
export function JobTimes({ job }: { job: OperatorJob }) {
  const now = useServiceNow()
  const isRunning = job.status === 'processing'
  const times: readonly (readonly [string, string | null])[] = [
    ['Created', job.created_at],
    ['Submitted', job.started_at],
    [isRunning ? 'Last news' : 'Last change', job.updated_at],
    [job.status === 'failed' ? 'Failed' : 'Completed', job.completed_at],
    [isRunning ? 'Next step' : 'Owed step', job.due_at],
    ['Fails at the latest', isRunning ? job.deadline_at : null],
    ['Expires', job.expires_at],
  ]
  const set = times.filter((time): time is [string, string] => time[1] !== null)
  const inOrder = set.toSorted(([, one], [, other]) => Date.parse(one) - Date.parse(other))
  return (
    <ol class="times" aria-label="Times">
      {inOrder.map(([name, at], index) => {
        const before = inOrder[index - 1]
        const isAhead = Date.parse(at) > now
        return (
          <li key={name} class={isAhead ? 'time ahead' : 'time'}>
            <span class="time-name">{name}</span>
            <time class="figures" dateTime={at}>
              {instantWords(at, now)}
            </time>
            <span class="faint figures">
              {before && !isAhead
                ? `${span(Date.parse(at) - Date.parse(before[1]))} later`
                : relative(at, now)}
            </span>
          </li>
        )
      })}
    </ol>
  )
}
