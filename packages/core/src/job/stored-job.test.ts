import { expect, test } from 'vitest'
import { exampleJob } from '@genmount/testing'
import { fromStoredJob, toStoredJob } from './stored-job.ts'

const claims = {
  'never claimed': [{}, undefined],
  'given up': [{ claimToken: 'a:1' }, { token: 'a:1' }],
  held: [
    { claimToken: 'a:1', claimedUntil: 5 },
    { token: 'a:1', until: 5 },
  ],
  'held for a quiet poll': [
    { claimToken: 'a:1', claimedUntil: 5, isQuiet: true },
    { token: 'a:1', until: 5, isQuiet: true },
  ],
  'held after a death': [
    { claimToken: 'a:1', claimedUntil: 5, abandonedClaims: 2 },
    { token: 'a:1', until: 5, deaths: 2 },
  ],
  'of an ended process': [
    { claimedUntil: 0, abandonedClaims: 1 },
    { until: 0, deaths: 1 },
  ],
} as const

test.each(Object.entries(claims))(
  'a stored job keeps the claim under the names of the first release: %s',
  (_state, [stored, claim]) => {
    const { input, shownInput, claim: _none, ...rest } = exampleJob({ input: { prompt: 'a fox' } })
    const job = { ...rest, input: input!, shownInput, ...(claim && { claim }) }
    const json = JSON.parse(JSON.stringify(toStoredJob(job)))
    expect(json).toStrictEqual({ ...rest, task: input, input: shownInput, ...stored })
    expect(fromStoredJob(json)).toStrictEqual(job)
  },
)
