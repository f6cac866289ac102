import type { MediaKind } from '../form/field.ts'
import type { ChosenFile } from '../form/values.ts'
import { Icon } from '../parts/icon.tsx'

interface FileTileProps {
  readonly file: ChosenFile
  readonly media: MediaKind
  readonly onRemove: () => void
}

/** A small view of a chosen file, with a button that removes it. */
export function FileTile({ file: { name, preview, url, error }, media, onRemove }: FileTileProps) {
  const isSending = url === undefined && error === undefined
  return (
    <div class="file-tile" aria-busy={isSending}>
      {preview === undefined || media === 'audio' ? (
        <span class="file-place">
          <Icon name={preview === undefined ? 'link' : 'upload'} />
          <span class="cut">{name}</span>
        </span>
      ) : media === 'video' ? (
        <video src={preview} muted playsInline aria-label={name} />
      ) : (
        <img src={preview} alt={name} />
      )}
      {isSending && <span class="spinner" />}
      <span class="unseen" role="status">
        {isSending ? `${name} is being sent` : (error ?? `${name} is ready`)}
      </span>
      <button type="button" class="button square tile-remove" onClick={onRemove}>
        <Icon name="stop" />
        <span class="unseen">Remove {name}</span>
      </button>
    </div>
  )
}
