import type { ComponentChildren } from 'preact'
import type { Field } from './field.ts'

interface FieldFrameProps {
  readonly field: Field
  /** The id of the control that the label belongs to. `undefined` if the field is a group of controls. */
  readonly control?: string | undefined
  readonly error: string | undefined
  /** The current value, shown at the right of the label. */
  readonly current?: ComponentChildren
  readonly children: ComponentChildren
}

/** The id of the element that describes a field. */
export const descriptionId = ({ name }: Field) => `about-${name}`
export const labelId = ({ name }: Field) => `label-${name}`

/** A field with its label, its explanation, and its error. */
export function FieldFrame({ field, control, error, current, children }: FieldFrameProps) {
  const label = (
    <>
      {field.label}
      {!field.isRequired && field.name === 'prompt' && <span class="faint"> (optional)</span>}
    </>
  )
  return (
    <div class="field">
      <div class="field-head">
        {control === undefined ? (
          <span class="label" id={labelId(field)}>
            {label}
          </span>
        ) : (
          <label class="label" id={labelId(field)} for={control}>
            {label}
          </label>
        )}
        {current}
      </div>
      {children}
      <FieldWords field={field} error={error} />
    </div>
  )
}

/** The explanation of a field, or its error. */
export function FieldWords({ field, error }: Pick<FieldFrameProps, 'field' | 'error'>) {
  const words = error ?? field.help
  if (words === undefined) return null
  return (
    <p class={error === undefined ? 'help' : 'help wrong'} id={descriptionId(field)}>
      {words}
    </p>
  )
}
