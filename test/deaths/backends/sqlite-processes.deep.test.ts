import { expect, onTestFinished, test } from 'vitest'
import { sqliteBackend } from '@genmount/backend-sqlite'
import { temporaryFile } from '../../backend-sqlite/temporary-file.ts'
import { claimantOf, locksOf } from './claimant.ts'

test('of twenty processes exactly those that were killed count as ended, though all have just started', async () => {
  const file = temporaryFile()
  const { processes, close } = sqliteBackend({ file })
  onTestFinished(close)
  const names = Array.from({ length: 20 }, (_, index) => `job-${index}`)
  const areAllThere = new AbortController()
  const looking = (async () => {
    while (!areAllThere.signal.aborted) expect(await processes!.leftBehind(100)).toEqual([])
  })()
  // Each process looks for jobs of ended processes as soon as it has started, while the other processes take their locks.
  const all = await Promise.all(
    names.map(async (name) => {
      const started = await claimantOf(file, [name])
      expect(await started.process.ask('look')).toBe('[]')
      return started
    }),
  )
  areAllThere.abort()
  await looking
  expect(locksOf(file).length).toBeGreaterThanOrEqual(20)

  const killed = all.filter((_, index) => index % 3 === 0)
  await Promise.all(killed.map((one) => one.process.kill()))
  const verdicts = await Promise.all(all.map(({ id }) => processes!.hasEnded(id)))
  expect(verdicts).toEqual(all.map((one) => killed.includes(one)))
  const expected = names.filter((_, index) => index % 3 === 0)
  expect((await processes!.leftBehind(100)).toSorted()).toEqual(expected.toSorted())
})
