import { answeredLate, checkAnsweredLate } from './answered-late.ts'
import { checkSubmittedOnce, findable, frozenBesideTheBlind, secondTry } from './frozen-before-submit.ts'
import { testInDatabases } from './paid-job-test.ts'

// In `npm test` these run with jobs in memory, or in SQLite alone.
testInDatabases(
  'a process that was frozen between its claim and its submit, and another process beside it, submit the job once',
  findable,
  checkSubmittedOnce,
)

testInDatabases(frozenBesideTheBlind, { vendor: secondTry }, checkSubmittedOnce)

testInDatabases(answeredLate, findable, checkAnsweredLate)
