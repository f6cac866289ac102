import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Icon } from './icon.tsx'

interface KeyFormProps {
  /** The name of the page. */
  readonly title: string
  /** For what the page is, in a sentence. */
  readonly intro: string
  /** What the key is called. */
  readonly label: string
  /** Whether the last key was refused. */
  readonly isRefused: boolean
  /** Why the last key was refused. */
  readonly notice: ComponentChildren
  readonly isChecking: boolean
  readonly onKey: (key: string) => void
  /** Returns to the key before. @default there was none */
  readonly onBack?: (() => void) | undefined
}

/** Asks for the key. */
export function KeyForm({ title, intro, label, isRefused, notice, isChecking, onKey, onBack }: KeyFormProps) {
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
      <h1>{title}</h1>
      <p class="faint">{intro}</p>
      <div class="field">
        <label class="label" for="key">
          {label}
        </label>
        <input
          id="key"
          ref={field}
          class="input"
          type="password"
          autocomplete="off"
          spellcheck={false}
          aria-invalid={isRefused}
          aria-describedby="key-words"
          value={key}
          onInput={({ currentTarget }) => setKey(currentTarget.value)}
        />
        <p id="key-words" class="help">
          It is kept in this tab until you close it, and sent to this service only.
        </p>
      </div>
      {notice}
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
