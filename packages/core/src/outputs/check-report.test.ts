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
