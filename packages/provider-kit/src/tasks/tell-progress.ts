import type { JobPreview } from '@genmount/core'

/**
 * Tells how much of a task is done, from 0 to 1, and shows what has been made so far, as a picture of at most 64 KiB.
 * Only one report contains the picture.
 */
export type TellProgress = (progress: number, preview?: JobPreview) => void
