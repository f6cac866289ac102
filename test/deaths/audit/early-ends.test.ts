import { expect, test } from 'vitest'
import type { DiaryEntry } from '../service/diary.ts'
import type { Findings } from './findings.ts'
import { hastyEnds, waitsForOlder } from './early-ends.ts'

const [submitter, newest, older] = [1, 2, 3]
const answer: DiaryEntry = { pid: submitter, at: 20, what: 'answer', jobId: 'gen_1' }

/** A job that failed as ambiguous. A server of an older release does not note why a job has failed. */
function failedBy(pid: number, at: number, revision: number): DiaryEntry {
  const code = pid === older ? {} : { code: 'submit_ambiguous' }
  return { pid, at, what: 'write', jobId: 'gen_1', phase: 'failed', revision, deaths: 0, ...code }
}

function findings(diary: readonly DiaryEntry[], submitterDiedAt?: number): Findings {
  const life = { exitCode: null, frozen: [] }
  const lives = [
    { ...life, pid: submitter, diedAt: submitterDiedAt },
    { ...life, pid: newest, diedAt: undefined },
    { ...life, pid: older, diedAt: undefined, release: 'older' },
  ]
  return { ...({} as Findings), diary, lives: lives as Findings['lives'] }
}

test.each<[string, Findings, readonly string[]]>([
  [
    'a server of today fails a job whose submitter lives is early',
    findings([failedBy(newest, 10, 3), answer]),
    ['gen_1'],
  ],
  [
    'a server of today fails a job whose submitter has died is not early',
    findings([answer, failedBy(newest, 40, 3)], 30),
    [],
  ],
  [
    'an older server fails a job whose submitter lives, and a server of today then writes to the failed job, is not early',
    findings([failedBy(older, 10, 3), answer, failedBy(newest, 30, 4)]),
    [],
  ],
  [
    'a server of today fails a job that had gone on after an older server failed it is early',
    findings([
      failedBy(older, 5, 3),
      { pid: newest, at: 6, what: 'write', jobId: 'gen_1', phase: 'submitting', revision: 4, deaths: 0 },
      failedBy(newest, 10, 5),
      answer,
    ]),
    ['gen_1'],
  ],
])('the auditor says that the end by which %s', (_, found, early) => {
  expect(hastyEnds(found)).toEqual(early)
})

const submitting = { at: 0, what: 'write', jobId: 'gen_1', phase: 'submitting', deaths: 0 } as const
const looking: DiaryEntry = { ...submitting, pid: newest, revision: 2 }
test.each<[string, DiaryEntry[], boolean]>([
  [
    'an older server has claimed and not submitted',
    [{ ...submitting, pid: older, revision: 1 }, looking],
    true,
  ],
  ['a server of today has claimed', [{ ...submitting, pid: submitter, revision: 1 }, looking], false],
  [
    'an older server has submitted',
    [
      { ...submitting, pid: older, revision: 1 },
      { pid: older, at: 1, what: 'submit', jobId: 'gen_1' },
    ],
    false,
  ],
])(
  'the auditor excuses an unfinished job only while an older server holds it unsubmitted: %s',
  (_, diary, isExcused) => {
    expect(waitsForOlder(findings(diary), 'gen_1')).toBe(isExcused)
  },
)
