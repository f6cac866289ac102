/** Limits of the server under test: small, so that a case that runs into one is soon over. */
export const suiteLimits = {
  waitBudgetMs: 2500,
  bodyTimeoutMs: 1000,
  maxBodyBytes: 256 * 1024,
  retentionDays: 7,
} as const

/** How long a job with `shortLived` lives. */
export const shortLifeMs = 3000

/** Finishes within its submit. */
export const quick = { model: 'fake-image', prompt: 'a red kite' } as const

/** Finishes when the provider is asked for the first time. */
export const unhurried = { ...quick, delay_ms: 0 } as const

/** Does not finish as long as the suite runs. */
export const endless = { ...quick, delay_ms: 600_000 } as const

export const failing = { ...quick, fail: 'content_policy', fail_message: 'No kites today.' } as const

export const quickVideo = { model: 'fake-video', prompt: 'a kite in the wind' } as const

/** Expires `shortLifeMs` after it was created. */
export const shortLived = { ...quick, prompt: 'expires soon' } as const

/**
 * A model whose input may be anything, whose output is the text of `file` so many times under its content type, and
 * whose jobs are kept for 30 days.
 */
export const anything = { model: 'suite-anything' } as const

/** Is refused by the app's admission rule with this error code. */
export function refusedWith(code: string): object {
  return { ...quick, prompt: `${refusalPrefix}${code}` }
}

export const refusalPrefix = 'refuse: '
