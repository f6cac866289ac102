import type { Act, OperatorJob } from '../api/wire.ts'
import { useSession } from '../session.ts'
import { actWords, whyNot } from '../words/act-words.ts'

const acts = Object.keys(actWords) as Act[]

/** What operators can do to a job. An act that is not possible now says why. */
export function JobActs({ job, onAct }: { job: OperatorJob; onAct: (act: Act) => void }) {
  const { overview } = useSession()
  const refusals = acts.map((act) => [act, whyNot(act, job, overview.features)] as const)
  const reasons = [...new Set(refusals.map(([, reason]) => reason).filter((reason) => reason !== undefined))]
  const nameOf = (reason: string) =>
    refusals.filter(([, one]) => one === reason).map(([act]) => actWords[act].name)
  return (
    <div class="acts">
      <div class="acts-bar">
        {refusals.map(([act, reason]) => (
          <button
            key={act}
            type="button"
            class={act === 'delete' ? 'button quiet-danger' : 'button'}
            // Not `disabled`: a dialog gives the focus back to its button, also after an act that can be done only once.
            aria-disabled={reason !== undefined}
            aria-describedby={reason === undefined ? undefined : `why-${reasons.indexOf(reason)}`}
            onClick={() => reason === undefined && onAct(act)}
          >
            {actWords[act].name}
          </button>
        ))}
      </div>
      {reasons.length > 0 && (
        <ul class="act-reasons faint">
          {reasons.map((reason, index) => (
            <li key={reason} id={`why-${index}`}>
              <span class="strong">
                {reasons.length > 1 || refusals.length > 1 ? `${nameOf(reason).join(', ')}: ` : ''}
              </span>
              {reason}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
