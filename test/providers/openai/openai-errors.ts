import type { VendorReply } from '../vendor-server.ts'

export const token = 'sk-proj-test-5f0c1d2e3b4a'

/** An error in OpenAI's shape. */
export function openaiError(
  status: number,
  message: string,
  code: string | null,
  type = 'invalid_request_error',
): VendorReply {
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
