import type { Step } from '../vendor-case.ts'

/** The words of OpenAI's images, and of the vendors whose images follow OpenAI's. */
export const openaiWords = {
  stepOf: (): Step => 'submit',
  error: (message: string) => ({
    error: { message, type: 'invalid_request_error', param: null, code: null },
  }),
  ended: (url: unknown) => ({
    step: 'submit' as const,
    json: () => ({ created: 1, data: url === undefined ? [] : [{ url }] }),
  }),
  isDurable: false,
}
