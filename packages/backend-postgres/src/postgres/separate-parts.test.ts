import { exampleJob } from '@genmount/testing'
import { expect, test } from 'vitest'
import { separateParts } from './separate-parts.ts'

test('a write of a job without long parts goes through its fields once', () => {
  let times = 0
  const job = exampleJob({ task: { prompt: 'a fox' } })
  const watched = new Proxy(job, {
    ownKeys(target) {
      times++
      return Reflect.ownKeys(target)
    },
  })
  expect(JSON.parse(separateParts().separate(watched).rest)).toEqual(job)
  expect(times).toBe(1)
})
