/**
 * The limits of the server under test. They are small, so that a case which reaches a limit does not take
 * long.
 */
export const suiteLimits = {
  waitBudgetMs: 4000,
  bodyTimeoutMs: 1000,
  maxBodyBytes: 256 * 1024,
  maxUploadBytes: 512 * 1024,
  retentionDays: 7,
} as const

/** The origin of the pages that may use the server under test. */
export const suitePage = 'https://page.example'

/** How long a job made from `shortLived` is kept, in milliseconds. */
export const shortLifeMs = 6000

/** The body of a create whose job finishes within its submit. */
export const quick = { model: 'fake-image', prompt: 'a red kite' } as const

/** The body of a create whose job is finished at the first poll. */
export const unhurried = { ...quick, delay_ms: 0 } as const

/** The body of a create whose job does not finish while the suite runs. */
export const endless = { ...quick, delay_ms: 600_000 } as const

export const failing = { ...quick, fail: 'content_policy', fail_message: 'No kites today.' } as const

export const quickVideo = { model: 'fake-video', prompt: 'a kite in the wind' } as const

/** The body of a create whose job expires `shortLifeMs` after its creation. */
export const shortLived = { ...quick, prompt: 'expires soon' } as const

/**
 * The model field for a model that accepts any input. Its jobs are kept for 30 days. The input field `file` decides the
 * output: its `text`, repeated `times` times, with its `type` as content type. With the input field `copy_of`, a URL or
 * a data URI, the output is a copy of that file.
 */
export const anything = { model: 'suite-anything' } as const

/** A model for which every optional field of the model object is set. */
export const described = {
  model: 'suite/any.thing',
  price: { text: '0.25 USD per output', per: 'output', usd: 0.25 },
  typicalMs: 2500,
} as const

/** The body of a create that the admission rule of the app refuses with this error code. */
export function refusedWith(code: string): object {
  return { ...quick, prompt: `${refusalPrefix}${code}` }
}

export const refusalPrefix = 'refuse: '

/** How many requests `carol` may send in a minute. */
export const carolsRequests = 5

/**
 * The prompts for which the app's `moderation` refuses the input or the outputs, with `reason`. For `undecided` it throws.
 */
export const unfit = {
  input: 'unfit to be made',
  outputs: 'unfit to be shown',
  undecided: 'nobody decides',
  reason: 'Kites are not for this app.',
} as const
