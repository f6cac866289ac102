/** The kind of control for a field of a model's input. */
export type FieldKind =
  /** One line of text. */
  | 'line'
  /** Several lines of text. */
  | 'text'
  /** One of `choices`. */
  | 'choice'
  /** Yes or no. */
  | 'switch'
  /** A number from `min` to `max`. */
  | 'range'
  /** A number. */
  | 'number'
  /** The seed of the random numbers. */
  | 'seed'
  /** One or more files, see `media` and `maxFiles`. */
  | 'files'
  /** Anything else, as JSON. */
  | 'json'

export type MediaKind = 'image' | 'video' | 'audio'

/** A choice: a text, a number or `true` and `false`. */
export type Choice = string | number | boolean

/** One field of the form. */
export interface Field {
  /** Its name in the input of the model. */
  readonly name: string
  /** Its label. */
  readonly label: string
  readonly kind: FieldKind
  /** The description from the model's schema. */
  readonly help: string | undefined
  readonly isRequired: boolean
  /** Whether the field is seldom needed. Such a field is shown only on demand. */
  readonly isRare: boolean
  /** The value that the model uses when the field is left out. */
  readonly fallback: unknown
  readonly choices: readonly Choice[]
  /** Common values of a field that accepts any text. */
  readonly suggestions: readonly string[]
  readonly min: number | undefined
  readonly max: number | undefined
  readonly step: number | undefined
  readonly maxLength: number | undefined
  readonly media: MediaKind
  readonly maxFiles: number
  /** Whether even a single file is sent as a list. */
  readonly isList: boolean
}
