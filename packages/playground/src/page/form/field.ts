/** How a field of a model's input is asked for. */
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
  /** A number that starts the random numbers. */
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
  /** Its name for people. */
  readonly label: string
  readonly kind: FieldKind
  /** What the model says about it. */
  readonly help: string | undefined
  readonly isRequired: boolean
  /** Whether it is seldom needed, and shown only on demand. */
  readonly isRare: boolean
  /** What the model takes when the field is left out. */
  readonly fallback: unknown
  readonly choices: readonly Choice[]
  /** What is often written into a field that takes any text. */
  readonly suggestions: readonly string[]
  readonly min: number | undefined
  readonly max: number | undefined
  readonly step: number | undefined
  readonly maxLength: number | undefined
  readonly media: MediaKind
  readonly maxFiles: number
  /** Whether the files are sent as a list even when there is one. */
  readonly isList: boolean
}
