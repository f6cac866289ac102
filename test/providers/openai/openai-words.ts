import type { Step } from '../vendor-case.ts'

export const token = 'sk-proj-test-5f0c1d2e3b4a'

/** An error in OpenAI's shape. */
export function openaiError(
  status: number,
  message: string,
  code: string | null,
  type = 'invalid_request_error',
) {
  return { status, json: { error: { message, type, param: null, code } } }
}

export const invalidKey = openaiError(
  401,
  'Incorrect API key provided: sk-proj-********3b4a. You can find your API key at https://platform.openai.com/account/api-keys.',
  'invalid_api_key',
)

export const moderationBlocked = openaiError(
  400,
  'Your request was rejected by the safety system. If you believe this is an error, contact us at help.openai.com and include the request ID req_1. safety_violations=[violence].',
  'moderation_blocked',
  'image_generation_user_error',
)

/** The words of OpenAI's images, and of the vendors whose images follow OpenAI's. */
export const openaiWords = {
  stepOf: (): Step => 'submit',
  error: (message: string): unknown => openaiError(400, message, null).json,
  ended: (url: unknown) => ({
    step: 'submit' as const,
    json: () => ({ created: 1, data: url === undefined ? [] : [{ url }] }),
  }),
  isDurable: false,
}
