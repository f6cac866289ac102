import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { FailureNotice } from '../parts/failure-notice.tsx'
import { Icon } from '../parts/icon.tsx'

interface KeyFormProps {
  /** Why the last key was refused. */
  readonly error: unknown
  readonly isChecking: boolean
  readonly onKey: (key: string) => void
  /** Tries the last key again. */
  readonly onRetry: (() => void) | undefined
  /** Returns to the key before. */
  readonly onBack: (() => void) | undefined
}

/** Asks for the API key. */
export function KeyForm({ error, isChecking, onKey, onRetry, onBack }: KeyFormProps) {
  const [key, setKey] = useState('')
  const field = useRef<HTMLInputElement>(null)
  // The attribute `autofocus` would not do: a browser obeys it once per page, but this form returns when the visitor
  // changes the key.
  useLayoutEffect(() => field.current?.focus(), [])
  return (
    <form
      class="key-form"
      onSubmit={(event) => {
        event.preventDefault()
        if (key.trim() !== '') onKey(key.trim())
      }}
    >
      <span class="empty-picture">
        <Icon name="key" />
      </span>
      <h1>Playground</h1>
      <p class="faint">
        Try the models of this service: pictures and films, from words and from other pictures.
      </p>
      <div class="field">
        <label class="label" for="key">
          API key
        </label>
        <input
          id="key"
          ref={field}
          class="input"
          type="password"
          autocomplete="off"
          spellcheck={false}
          aria-invalid={error !== undefined}
          aria-describedby="key-words"
          value={key}
          onInput={({ currentTarget }) => setKey(currentTarget.value)}
        />
        <p id="key-words" class="help">
          It is kept in this tab until you close it, and sent to this service only.
        </p>
      </div>
      <FailureNotice error={error} onRetry={onRetry} />
      <button type="submit" class="button primary large" disabled={isChecking || key.trim() === ''}>
        {isChecking && <span class="spinner" />}
        {isChecking ? 'Looking…' : 'Start'}
      </button>
      {onBack && !isChecking && (
        <button type="button" class="button plain" onClick={onBack}>
          Go back to the key before
        </button>
      )}
    </form>
  )
}
