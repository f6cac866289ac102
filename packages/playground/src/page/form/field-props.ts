import type { Field } from './field.ts'
import { descriptionId } from './field-frame.tsx'

/** What every kind of field gets. */
export interface FieldProps {
  readonly field: Field
  readonly value: unknown
  /** Takes the new value; `undefined` is none. */
  readonly onChange: (value: unknown) => void
  /** What is wrong, in words. */
  readonly error: string | undefined
}

/** The attributes by which screen readers find out what is wrong with a control. */
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
