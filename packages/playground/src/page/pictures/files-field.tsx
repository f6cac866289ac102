import type { AnyModels, Client } from '@genmount/client'
import { Icon } from '@genmount/page-kit/page'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Field } from '../form/field.ts'
import { FieldFrame, labelId } from '../form/field-frame.tsx'
import { type ChosenFile, typedKey, withFile, withFileAt, withTypedLink } from '../form/values.ts'
import type { JobBoard } from '../jobs/job-board.ts'
import { CameraDialog } from './camera-dialog.tsx'
import { chooseFile } from './choose-file.ts'
import { FileTile } from './file-tile.tsx'
import { MaskDialog } from './mask-dialog.tsx'
import { usePreview } from './use-preview.ts'

export interface FilesFieldProps {
  readonly field: Field
  readonly client: Client<AnyModels>
  readonly board: JobBoard
  readonly files: readonly ChosenFile[]
  /**
   * Called with a function from the current files to the new ones. It is a function because an upload may end after
   * other changes.
   */
  readonly onChange: (change: (files: readonly ChosenFile[]) => readonly ChosenFile[]) => void
  readonly error: string | undefined
  /** Whether this field takes files that are pasted anywhere on the page. */
  readonly takesPaste: boolean
  /** The picture to paint on, if this field is a mask. */
  readonly canvas: ChosenFile | undefined
}

/**
 * A field for pictures, films or recordings. The visitor can drop, paste, choose, photograph or paint a file, or give a
 * link.
 */
export function FilesField(props: FilesFieldProps) {
  const { field, client, board, files, onChange, error, takesPaste, canvas } = props
  const [open, setOpen] = useState<'camera' | 'link' | 'mask'>()
  const [isOver, setIsOver] = useState(false)
  const { preview: picture } = usePreview(client, board, canvas)
  const chooser = useRef<HTMLInputElement>(null)
  const isMask = field.name === 'mask'
  // While the visitor types a link, its text is in the field for links and not in a tile.
  const typed = open === 'link' ? files.find(({ key }) => key === typedKey) : undefined
  const tiles = files.filter((file) => file !== typed)
  const hasRoom = tiles.length < field.maxFiles

  function add(blobs: Iterable<Blob>, name?: string) {
    for (const blob of [...blobs].filter(({ type }) => type.startsWith(`${field.media}/`)))
      chooseFile(client, blob, name, (file) => onChange((now) => withFile(now, file, field.maxFiles)))
  }

  useEffect(() => {
    if (!takesPaste) return
    const onPaste = ({ clipboardData }: ClipboardEvent) => add(clipboardData?.files ?? [])
    document.addEventListener('paste', onPaste)
    return () => document.removeEventListener('paste', onPaste)
  })

  const remove = (key: string) => onChange((now) => now.filter((one) => one.key !== key))
  const words = field.media === 'image' ? 'picture' : field.media === 'video' ? 'film' : 'recording'

  return (
    <FieldFrame field={{ ...field, help: undefined }} error={error}>
      <div
        class={isOver ? 'drop over' : 'drop'}
        role="group"
        aria-labelledby={labelId(field)}
        onDragOver={(event) => {
          event.preventDefault()
          setIsOver(true)
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          setIsOver(false)
          add(event.dataTransfer?.files ?? [])
        }}
      >
        {tiles.map((file) => (
          <FileTile
            key={file.key}
            client={client}
            board={board}
            file={file}
            media={field.media}
            onRemove={() => remove(file.key)}
          />
        ))}
        {hasRoom && (
          <div class="drop-tools">
            {isMask && (
              <button
                type="button"
                class="button"
                disabled={picture === undefined}
                onClick={() => setOpen('mask')}
              >
                <Icon name="brush" /> Paint a mask
              </button>
            )}
            <button type="button" class="button" onClick={() => chooser.current?.click()}>
              <Icon name="upload" /> {isMask || tiles.length > 0 ? 'Choose' : `Choose a ${words}`}
            </button>
            {field.media === 'image' && !isMask && (
              <button type="button" class="button square" onClick={() => setOpen('camera')}>
                <Icon name="camera" />
                <span class="unseen">Take a picture with the camera</span>
              </button>
            )}
            <button
              type="button"
              class="button square"
              aria-expanded={open === 'link'}
              onClick={() => setOpen(open === 'link' ? undefined : 'link')}
            >
              <Icon name="link" />
              <span class="unseen">Give a link</span>
            </button>
            <p class="drop-words">
              {isMask
                ? picture === undefined
                  ? 'Choose a picture first, then paint what is to change.'
                  : 'Paint over the parts that are to change.'
                : takesPaste
                  ? `or drop or paste ${field.maxFiles > 1 ? `up to ${field.maxFiles}` : 'one'} here`
                  : 'or drop one here'}
            </p>
          </div>
        )}
        <input
          ref={chooser}
          class="unseen"
          type="file"
          tabIndex={-1}
          aria-label={field.label}
          accept={`${field.media}/*`}
          multiple={field.maxFiles > 1}
          onChange={({ currentTarget }) => {
            add(currentTarget.files ?? [])
            currentTarget.value = ''
          }}
        />
      </div>
      {open === 'link' && hasRoom && (
        <LinkForm
          typed={typed?.url ?? typed?.name ?? ''}
          canAdd={typed?.url !== undefined}
          onType={(text) => onChange((now) => withTypedLink(now, text))}
          onAdd={() => {
            setOpen(undefined)
            if (typed?.url === undefined) return
            const { url } = typed
            onChange((now) => withFileAt(withTypedLink(now, ''), url, field.maxFiles))
          }}
        />
      )}
      {files.some(({ url }) => /^https?:/.test(url ?? '')) && (
        <p class="help">
          The service reads the link when the job starts, and this page can not check it before.
        </p>
      )}
      {open === 'camera' && (
        <CameraDialog onClose={() => setOpen(undefined)} onPicture={(blob) => add([blob], 'camera.jpg')} />
      )}
      {open === 'mask' && picture !== undefined && (
        <MaskDialog
          picture={picture}
          onClose={() => setOpen(undefined)}
          onMask={(blob) => add([blob], 'painted mask')}
        />
      )}
    </FieldFrame>
  )
}

interface LinkFormProps {
  readonly typed: string
  readonly canAdd: boolean
  readonly onType: (text: string) => void
  readonly onAdd: () => void
}

function LinkForm({ typed, canAdd, onType, onAdd }: LinkFormProps) {
  return (
    <div class="joined">
      <input
        class="input"
        type="url"
        aria-label="Link"
        placeholder="https://"
        value={typed}
        onInput={({ currentTarget }) => onType(currentTarget.value)}
        onKeyDown={(event) => {
          // Enter would send the whole form. With Ctrl it is meant to.
          if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return
          event.preventDefault()
          if (canAdd) onAdd()
        }}
      />
      <button type="button" class="button" disabled={!canAdd} onClick={onAdd}>
        Add
      </button>
    </div>
  )
}
