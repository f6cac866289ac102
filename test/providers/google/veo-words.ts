import { polled } from '../vendor-case.ts'

/** The operations of Google's former Veo, which the AI SDK still polls. */
export const veoWords = {
  error: (message: string) => ({ error: { code: 400, message, status: 'INVALID_ARGUMENT' } }),
  ended: (uri: unknown) => ({
    step: 'poll' as const,
    json: () => ({
      name: 'n',
      done: true,
      response: {
        generateVideoResponse: { generatedSamples: uri === undefined ? [] : [{ video: { uri } }] },
      },
    }),
  }),
  failed: (message: string) => polled({ name: 'n', done: true, error: { code: 13, message } }),
  strange: polled({ name: 'n', state: 'PONDERING' }),
  isDurable: true,
}
