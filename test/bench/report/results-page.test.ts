import { expect, test } from 'vitest'
import { isOfThisRelease, resultsPage, writtenResults } from '../report/results-page.ts'

test('the page What it costs has figures of this release, or says that nothing was measured since', () => {
  // Run `npm run bench` on a machine that does nothing else, or `npm run bench -- --clear`.
  expect(isOfThisRelease(writtenResults())).toBe(true)
})

test('figures of an earlier release do not count as figures of this one', () => {
  const bench = { title: 'A read', run: async () => ({ rows: [], notes: '' }) }
  const findings = [{ bench, result: { rows: [], notes: 'It takes 50 us.' } }]
  expect(isOfThisRelease(resultsPage(findings, '2026-11-21, genmount 0.0.9, a processor'))).toBe(false)
  expect(isOfThisRelease(resultsPage([], '2026-11-21, genmount 0.0.9, a processor'))).toBe(true)
})

test('a bench without results is not on the page, and what has a target says whether it meets it', () => {
  const bench = { title: 'A read', run: async () => ({ rows: [], notes: '' }) }
  const rows = [{ what: 'Time', figure: '50 us', target: '<= 40 us', meets: false }]
  const page = resultsPage([{ bench, result: { rows, notes: 'It takes 50 us.' } }], 'today')
  expect(page).toContain(
    '## Figures\n\nMeasured in one run: today.\n\n![Ratios as bars](chart.svg)\n\n### A read\n\nIt takes 50 us.',
  )
  expect(page).toContain('| Time | 50 us | <= 40 us | falls short |')
})
