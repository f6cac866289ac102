import { expect, test } from 'vitest'
import { checkReport } from './check-report.ts'

test.each([
  { state: 'failed', code: 'content_policy', message: 'No \ud83d.' },
  { state: 'refused', message: 'No \ud83d.' },
  { state: 'unknown', message: 'No \ud83d.' },
])('what a provider says in a $state report is whole characters', (report) => {
  expect(checkReport(report)).toMatchObject({ state: report.state, message: 'No \ufffd.' })
})

test('so are the URL and the type of an output', () => {
  const outputs = [{ url: 'https://cdn.test/\ude00.png', contentType: 'image/\ud83d' }]
  expect(checkReport({ state: 'succeeded', outputs })).toMatchObject({
    outputs: [{ url: 'https://cdn.test/\ufffd.png', contentType: 'image/\ufffd' }],
  })
})
