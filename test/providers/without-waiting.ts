import { manualClock } from '@genmount/testing'

/** Options of a provider's suite whose fake counts polls and knows no time: the suite need not wait between polls. */
export const withoutWaiting = () => ({ clock: manualClock(), lateAnswerMs: 100 })
