import type { Model } from '@genmount/core'

/**
 * What a picture or film is, by the terms of the IPTC (https://cv.iptc.org/newscodes/digitalsourcetype): made by a model that
 * was trained on samples; combined by such a model with other media, as in an edit; made by an algorithm without training data;
 * or enhanced by an algorithm.
 */
export type DigitalSourceType = NonNullable<Model['digitalSourceType']>

/** What a mark says of a file. */
export interface Mark {
  readonly sourceType: DigitalSourceType
  /** The model that has made the file. @default the mark does not say it */
  readonly model?: string | undefined
  /** When the job was ordered, in milliseconds since the Unix epoch. @default the mark does not say it */
  readonly time?: number | undefined
  /** The id of the job. @default the mark does not say it */
  readonly job?: string | undefined
}

/** The vocabulary of the digital source types. */
export const vocabulary = 'http://cv.iptc.org/newscodes/digitalsourcetype/'
