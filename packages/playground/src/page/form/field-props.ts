import type { Field } from './field.ts'
import { descriptionId } from './field-frame.tsx'

/** The props of every kind of field. */
export interface FieldProps {
  readonly field: Field
  readonly value: unknown
  /** Called with the new value, or with `undefined` when the field is emptied. */
  readonly onChange: (value: unknown) => void
  /** The error in words. `undefined` if the value is right. */
  readonly error: string | undefined
}

/** The attributes that tell screen readers about the error of a control. */
export function controlAttributes({ field, error }: FieldProps) {
  const isDescribed = error !== undefined || field.help !== undefined
  return {
    id: `field-${field.name}`,
    name: field.name,
    'aria-required': field.isRequired,
    'aria-invalid': error !== undefined,
    'aria-describedby': isDescribed ? descriptionId(field) : undefined,
  }
}
