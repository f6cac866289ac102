import { isAway } from '../api/api-error.ts'
import { errorWords } from '../words/error-words.ts'

interface FailureNoticeProps {
  readonly error: unknown
  readonly onRetry?: (() => void) | undefined
  /** Whether the request was to change something. @default false */
  readonly isAct?: boolean
}

/** Says why a request has failed. Without an error it shows nothing. */
export function FailureNotice({ error, onRetry, isAct = false }: FailureNoticeProps) {
  if (error === undefined) return null
  const { title, text } = errorWords(error)
  return (
    <p class="notice bad" role="alert">
      <strong>{title}.</strong> {text}{' '}
      {isAct &&
        isAway(error) &&
        'It may have been done all the same: look into the audit log before you do it again. '}
      {onRetry && (
        <button type="button" class="link" onClick={onRetry}>
          Try again
        </button>
      )}
    </p>
  )
}
