import { expect, test } from 'vitest'
import { checkReport } from './check-report.ts'

test.each([
  { state: 'failed', code: 'content_policy', message: 'No \ud83d.' },
  { state: 'refused', message: 'No \ud83d.' },
  { state: 'unknown', message: 'No \ud83d.' },
])('the texts of a $state report of a provider are whole characters', (report) => {
  expect(checkReport(report)).toMatchObject({ state: report.state, message: 'No \ufffd.' })
})

test('the URL and the type of an output that the provider reports are whole characters', () => {
  const outputs = [{ url: 'https://cdn.test/\ude00.png', contentType: 'image/\ud83d' }]
  expect(checkReport({ state: 'succeeded', outputs })).toMatchObject({
    outputs: [{ url: 'https://cdn.test/\ufffd.png', contentType: 'image/\ufffd' }],
  })
})

test('the tokens that a provider reports are whole numbers, and none where a sum is missing or nobody has counted', () => {
  const tokensOf = (tokens: unknown) => {
    const report = checkReport({ state: 'succeeded', outputs: [], tokens })
    return typeof report === 'object' && 'tokens' in report ? report.tokens : undefined
  }
  const counted = { input: 12, imageInput: 2, output: 100, textOutput: 0 }
  expect(tokensOf({ input: 12.4, imageInput: 2, output: 100 })).toEqual(counted)
  for (const none of [undefined, 7, { input: 12 }, { input: 12, output: -1 }, { input: 0, output: 0 }])
    expect(tokensOf(none)).toBeUndefined()
})

test('of a prompt that a vendor has rewritten, the first 4,000 characters are kept', () => {
  const outputs = [
    { url: 'https://cdn.test/1.png', revisedPrompt: 'a'.repeat(5000) },
    { url: '', revisedPrompt: 7 },
  ]
  expect(checkReport({ state: 'succeeded', outputs })).toMatchObject({
    outputs: [{ revisedPrompt: 'a'.repeat(4000) }, { url: '' }],
  })
})
