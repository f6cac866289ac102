import type { ComponentChildren } from 'preact'
import type { Mood } from '../words/provider-words.ts'

/** A word with a dot in the colour of its meaning. The word alone says it too. */
export function Mark({ mood, children }: { mood: Mood; children: ComponentChildren }) {
  return (
    <span class={`mark mark-${mood}`}>
      <span class="dot" aria-hidden="true" />
      {children}
    </span>
  )
}
