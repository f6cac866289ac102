import { dollars, Icon, useStore } from '@genmount/page-kit/page'
import { serviceReach } from '../parts/service-reach.ts'

const counts = [1, 2, 3, 4]

interface GenerateBarProps {
  /** How many versions each model makes. `undefined` if each would be the same. */
  readonly count: number | undefined
  readonly onCount: (count: number) => void
  /** How many jobs one click creates. */
  readonly jobs: number
  /** About what these jobs cost together, in US dollars. `undefined` if not known. */
  readonly cost: number | undefined
  readonly isSending: boolean
  /** Whether a file of the form is still being uploaded. */
  readonly isUploading: boolean
  /** Shows the request as code. */
  readonly onCode: () => void
}

/** The number of jobs, and the button, which says about what they cost. */
export function GenerateBar(props: GenerateBarProps) {
  const { count, onCount, jobs, cost, isSending, isUploading, onCode } = props
  const { isLost } = useStore(serviceReach)
  return (
    <div class="generate-bar">
      {count !== undefined && (
        <div class="generate-line" title="Each version is a job of its own, with another seed">
          <span class="faint">Versions</span>
          <div class="segments small" role="radiogroup" aria-label="How many versions">
            {counts.map((number) => (
              <label key={number} class="segment">
                <input
                  type="radio"
                  name="count"
                  checked={count === number}
                  onChange={() => onCount(number)}
                />
                <span>{number}×</span>
              </label>
            ))}
          </div>
        </div>
      )}
      <div class="joined">
        <button
          type="submit"
          class="button primary large"
          disabled={isSending || isUploading}
          title="Ctrl + Enter"
        >
          {isSending ? <span class="spinner" /> : <Icon name="sparkle" />}
          {isUploading
            ? 'Sending the files…'
            : isSending
              ? isLost
                ? 'The service does not answer. Trying again…'
                : 'Sending…'
              : `Generate${jobs > 1 ? ` ${jobs}` : ''}${costWords(cost)}`}
        </button>
        <button type="button" class="button square" title="Copy as code" onClick={onCode}>
          <Icon name="code" />
          <span class="unseen">Copy the request as code</span>
        </button>
      </div>
    </div>
  )
}

function costWords(cost: number | undefined): string {
  if (cost === undefined) return ''
  return cost === 0 ? ', free' : `, about ${dollars(cost)}`
}
