/** Goes through the pages of a list by cursors. */
export function Pager({
  label,
  cursors,
  next,
  onChange,
}: {
  /** What the pages have, such as `jobs`. */
  label: string
  /** The cursors of the pages after the first one, up to the one that is shown. */
  cursors: readonly string[]
  next: string | null | undefined
  onChange: (cursors: readonly string[]) => void
}) {
  if (cursors.length === 0 && !next) return null
  return (
    <nav class="pager" aria-label={`Pages of ${label}`}>
      <button
        type="button"
        class="button"
        disabled={cursors.length === 0}
        onClick={() => onChange(cursors.slice(0, -1))}
      >
        Newer
      </button>
      <span class="faint figures">Page {cursors.length + 1}</span>
      <button
        type="button"
        class="button"
        disabled={!next}
        onClick={() => next && onChange([...cursors, next])}
      >
        Older
      </button>
    </nav>
  )
}
