import { expect, test } from 'vitest'
import { checkReport } from '../outputs/check-report.ts'

const running = { state: 'running', handle: 1 } as const

function told(news: object) {
  const report = checkReport({ ...running, ...news })
  if (typeof report === 'string' || report.state !== 'running') throw new Error('no running report')
  const { progress, queuePosition, preview } = report
  return { progress, queuePosition, preview }
}

const picture = (bytes: number, contentType = 'image/jpeg') => ({ bytes: new Uint8Array(bytes), contentType })

test('a report may contain progress, the place in the queue and a preview', () => {
  const news = { progress: 0.25, queuePosition: 3, preview: picture(65_536) }
  expect(told(news)).toEqual(news)
})

test('reported progress is clamped to 0 to 1', () => {
  expect([-1, 0, 0.5, 1, 100].map((progress) => told({ progress }).progress)).toEqual([0, 0, 0.5, 1, 1])
  for (const progress of [Number.NaN, '0.5', null, {}]) expect(told({ progress }).progress).toBeUndefined()
})

test('a reported place in the queue is a whole number from 0', () => {
  expect([0, 1, 2.7].map((queuePosition) => told({ queuePosition }).queuePosition)).toEqual([0, 1, 2])
  for (const queuePosition of [-1, Number.NaN, Number.POSITIVE_INFINITY, '1', null])
    expect(told({ queuePosition }).queuePosition).toBeUndefined()
})

test('a reported preview is an image that browsers show, of at most 64 KiB', () => {
  for (const preview of [
    picture(0),
    picture(65_537),
    picture(9, 'image/svg+xml'),
    picture(9, 'text/html'),
    { bytes: 'text', contentType: 'image/png' },
    { bytes: new Uint8Array(9) },
    'data:image/png;base64,aGk=',
    null,
  ])
    expect(told({ preview }).preview).toBeUndefined()
})

test('invalid news do not make a report invalid', () => {
  expect(checkReport({ ...running, progress: 'half', queuePosition: -1, preview: 5 })).toEqual(running)
})
