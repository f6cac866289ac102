import type { AnyModels, Client } from '@genmount/client'
import { Icon } from '@genmount/page-kit/page'
import type { MediaKind } from '../form/field.ts'
import type { ChosenFile } from '../form/values.ts'
import type { JobBoard } from '../jobs/job-board.ts'
import { usePreview } from './use-preview.ts'

interface FileTileProps {
  readonly client: Client<AnyModels>
  readonly board: JobBoard
  readonly file: ChosenFile
  readonly media: MediaKind
  readonly onRemove: () => void
}

/** A small view of a chosen file, with a button that removes it. */
export function FileTile({ client, board, file, media, onRemove }: FileTileProps) {
  const { name, url, error } = file
  const { preview, isAwaited } = usePreview(client, board, file)
  const isSending = url === undefined && error === undefined
  return (
    <div class="file-tile" aria-busy={isSending}>
      {preview === undefined || media === 'audio' ? (
        <span class="file-place">
          <Icon name={isAwaited ? 'clock' : preview === undefined ? 'link' : 'upload'} />
          <span class="cut">{isAwaited ? 'being made' : name}</span>
        </span>
      ) : media === 'video' && !isAwaited ? (
        <video src={preview} muted playsInline aria-label={name} />
      ) : (
        <img src={preview} alt={name} />
      )}
      {(isSending || (isAwaited && preview !== undefined)) && <span class="spinner" />}
      <span class="unseen" role="status">
        {isSending ? `${name} is being sent` : (error ?? `${name} is ${stateOf(file, isAwaited)}`)}
      </span>
      <button type="button" class="button square tile-remove" onClick={onRemove}>
        <Icon name="stop" />
        <span class="unseen">Remove {name}</span>
      </button>
    </div>
  )
}

/** Nobody has read the file at a link yet, so it may be missing. */
function stateOf({ url }: ChosenFile, isAwaited: boolean): string {
  if (isAwaited) return 'awaited'
  return /^https?:/.test(url ?? '') ? 'a link that the service has not read yet' : 'ready'
}
