import { expect, test } from 'vitest'
import { filesIn } from './files-in.ts'
import { filesReport } from './files-report.ts'

/** What becomes of a task whose answer has no picture. */
function reportOn(answer: unknown) {
  return filesReport(filesIn(answer, { kind: 'image' }), { vendor: 'Acme', kind: 'image', answer })
}

const words = 'Your prompt was blocked by our safety system'

/** Where vendors and gateways say why. */
const answers: readonly unknown[] = [
  { error: words },
  { error: { message: words } },
  { errors: [{ message: words }] },
  { errors: { prompt: [words] } },
  { error: true, message: words },
  { error: '', message: words },
  { Error: { Code: 'x', Message: words } },
  { ResponseMetadata: { Error: { Code: 'x', Message: words } } },
  { header: { code: 1, message: words } },
  { detail: [{ loc: ['body'], msg: words, type: 'x' }] },
  { msg: words, code: 1 },
  { err: words },
  { data: { failMsg: words, failCode: '501' } },
  { failure_message: words },
  { error_description: words },
  { errorDetail: words },
  { status: 'error', error_details: words },
  { statusReason: words },
  { status_msg: words },
  { base_resp: { status_code: 1026, status_msg: words } },
  { data: { task_status: 'failed', task_status_msg: words } },
  { warning: words },
  { data: [{ error: { message: words } }] },
  { generated_images: [{ rai_filtered_reason: words }] },
  { generatedImages: [{ raiFilteredReason: words }] },
  { promptFeedback: { blockReason: 'OTHER', blockReasonMessage: words } },
  { body: JSON.stringify({ error: { message: words } }) },
  { error: JSON.stringify({ error: { message: words } }) },
  { error: { message: 'Provider returned error', metadata: { raw: words } } },
  { images: [], warnings: [words] },
  { failure_reasons: [words] },
  { exception: words },
  { images: [], description: words },
  { images: [], explanation: words },
  { images: [], note: words },
  { images: [], comment: words },
  { statusText: words },
]

test('the words of a vendor that has made no picture reach the client, wherever it puts them, and mean moderation', () => {
  for (const answer of answers)
    expect(reportOn(answer), JSON.stringify(answer)).toMatchObject({
      state: 'failed',
      code: 'content_policy',
      message: expect.stringContaining(words),
    })
})

/** Codes and words of vendors that mean moderation, and such that do not. */
const meanings: readonly (readonly [unknown, string])[] = [
  [{ code: 'DataInspectionFailed', message: 'x' }, 'content_policy'],
  [{ error: { innererror: { code: 'ResponsibleAIPolicyViolation' }, message: 'failed' } }, 'content_policy'],
  [{ base_resp: { status_code: 1026, status_msg: 'input new_sensitive' } }, 'content_policy'],
  [{ data: { task_status_msg: 'Failure to pass the risk control system' } }, 'content_policy'],
  [{ error: { message: '生成的图片包含敏感内容' } }, 'content_policy'],
  [{ artifacts: [{ base64: '', finishReason: 'CONTENT_FILTERED' }] }, 'content_policy'],
  [{ images: [], has_nsfw_concepts: [true] }, 'content_policy'],
  [{ images: [], nsfw_content_detected: [false, true] }, 'content_policy'],
  [{ data: [{ url: null, is_image_safe: false }] }, 'content_policy'],
  [{ data: [{ url: '', flagged: true }] }, 'content_policy'],
  [{ data: [{ url: null, is_image_safe: true }] }, 'output_invalid'],
  [{ error: { code: 'server_error', message: 'The safety system timed out.' } }, 'provider_failed'],
  [{ data: { failMsg: 'The GPU has run out of memory.' } }, 'provider_failed'],
]

test('moderation is told apart from failure by the code of the vendor first, and by its words last', () => {
  for (const [answer, code] of meanings)
    expect(reportOn(answer), JSON.stringify(answer)).toMatchObject({ code })
})

test('an answer that only repeats the request or counts tokens gives no reason', () => {
  for (const answer of [
    { input: { message: 'a fox that says sorry' }, images: [] },
    { usage: { input_tokens_details: { text_tokens: 3 } } },
    { parameters: { fail_reason: 'to be drawn' } },
    { message: 'Success', msg: 'ok' },
    { created: 1, model: 'a model with a fault' },
    { images: [], has_nsfw_concepts: [false], enable_safety_checker: true, nsfw_filter: true },
    { images: [], description: '' },
  ])
    expect(reportOn(answer), JSON.stringify(answer)).not.toHaveProperty('message')
})
