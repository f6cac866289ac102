import { errorWords } from '../words/error-words.ts'

/** Says why a request has failed. Without an error it shows nothing. */
export function FailureNotice({ error, onRetry }: { error: unknown; onRetry?: (() => void) | undefined }) {
  if (error === undefined) return null
  const { title, text } = errorWords(error)
  return (
    <p class="notice bad" role="alert">
      <strong>{title}.</strong> {text}{' '}
      {onRetry && (
        <button type="button" class="link" onClick={onRetry}>
          Try again
        </button>
      )}
    </p>
  )
}
