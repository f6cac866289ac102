import type { AnyModels, Client } from '@genmount/client'
import { ownValue } from '@genmount/page-kit/page'
import type { JobBoard } from '../jobs/job-board.ts'
import { FilesField } from '../pictures/files-field.tsx'
import type { Field } from './field.ts'
import { FormField } from './form-field.tsx'
import { filesIn, typedKey, type Values } from './values.ts'

interface FormFieldsProps {
  readonly client: Client<AnyModels>
  readonly board: JobBoard
  readonly fields: readonly Field[]
  readonly values: Values
  /**
   * Called with the name of a field and a function from its current value to the new one. It is a function because an
   * upload may end after other changes.
   */
  readonly onChange: (name: string, change: (value: unknown) => unknown) => void
  /** The error of a field in words. */
  readonly errorOf: (field: Field) => string | undefined
}

/** The fields of a model. Those that are seldom needed are shown on demand, or when one of them has an error. */
export function FormFields({ client, board, fields, values, onChange, errorOf }: FormFieldsProps) {
  // A pasted picture goes into the first field for pictures.
  const pasted = fields.find(
    ({ kind, media, name }) => kind === 'files' && media === 'image' && name !== 'mask',
  )
  const fieldView = (field: Field) => {
    const { name, kind } = field
    const files = filesIn(ownValue(values, name))
    const error =
      errorOf(field) ?? files.find((file) => file.error !== undefined && file.key !== typedKey)?.error
    return (
      <div key={name} data-field={name}>
        {kind === 'files' ? (
          <FilesField
            field={field}
            client={client}
            board={board}
            files={files}
            onChange={(change) => onChange(name, (now) => change(filesIn(now)))}
            error={error}
            takesPaste={field === pasted}
            canvas={filesIn(values['image'])[0]}
          />
        ) : (
          <FormField
            field={field}
            value={ownValue(values, name)}
            onChange={(value) => onChange(name, () => value)}
            error={error}
          />
        )}
      </div>
    )
  }
  const rare = fields.filter(({ isRare }) => isRare)
  return (
    <>
      {fields.filter(({ isRare }) => !isRare).map(fieldView)}
      {rare.length > 0 && (
        <details class="more" open={rare.some((field) => errorOf(field) !== undefined)}>
          <summary>More settings</summary>
          <div class="form-fields inner">{rare.map(fieldView)}</div>
        </details>
      )}
    </>
  )
}
