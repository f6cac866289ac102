/** How many tokens of an answer are of one kind. */
export interface ModalityTokens {
  /** The kind, such as `TEXT`, `image` or `video`. */
  readonly modality?: string | null | undefined
  /** How many tokens. */
  readonly tokens: number
}

/** The tokens that an answer was billed for. */
export interface OutputUsage {
  /** All tokens of the answer, without thinking. */
  readonly output: number
  /** The tokens of thinking. */
  readonly thoughts: number
  /** The tokens of each kind; `undefined` when the answer does not distinguish kinds. */
  readonly byModality: readonly ModalityTokens[] | undefined
}

/** The tokens of an answer, in the groups for which Google has prices. */
export interface OutputTokens {
  /** The picture or the film. */
  readonly media: number
  /** Text, and thinking. */
  readonly text: number
}

/**
 * How many tokens of an answer are its media, and how many are text.
 * @param modality the kind of the media, in lower case
 * @param untold how many tokens count as media when the answer does not distinguish kinds. @default all
 */
export function outputTokens(
  { output, thoughts, byModality }: OutputUsage,
  modality: 'image' | 'video',
  untold: number = output,
): OutputTokens {
  const ofKind = byModality?.filter((part) => part.modality?.toLowerCase() === modality)
  const media = ofKind?.reduce((sum, { tokens }) => sum + tokens, 0) ?? untold
  return { media, text: Math.max(0, output - media) + thoughts }
}
