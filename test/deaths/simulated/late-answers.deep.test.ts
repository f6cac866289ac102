import { checkSubmittedOnce, findable } from './frozen-before-submit.ts'
import { testInDatabases } from './paid-job-test.ts'

testInDatabases(
  'a process that was frozen between its claim and its submit, and another process beside it, submit the job once',
  findable,
  checkSubmittedOnce,
)
