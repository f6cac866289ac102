import { expect, test } from 'vitest'
import { type BudgetShare, type BudgetWish, pictureBudget } from './picture-budget.ts'

const { signal } = new AbortController()

/**
 * A budget of three tasks and 10 bytes, and the names of the tasks that have a share, in the order in which they got
 * it.
 */
function budgetOfTen(maxTasks = 3, maxBytes = 10) {
  const budget = pictureBudget(maxTasks, maxBytes)
  const served: string[] = []
  const shares = new Map<string, BudgetShare>()
  async function take(name: string, wish: Partial<BudgetWish> = {}, leaver: AbortSignal = signal) {
    const share = await budget.take({ line: 'a', owner: `owner of ${name}`, bytes: 1, ...wish }, leaver)
    served.push(name)
    shares.set(name, share)
  }
  /** Resolves after every task that can be served has been served. */
  const settled = () => new Promise((resolve) => setImmediate(resolve))
  return { budget, served, take, settled, release: (name: string) => shares.get(name)?.release(), shares }
}

test('the image budget admits only as many tasks and bytes as fit, and the next when one leaves', async () => {
  const { budget, served, take, settled, release, shares } = budgetOfTen()
  const all = ['1', '2', '3', '4'].map((name) => take(name, { bytes: 4 }))
  await settled()
  expect([served, budget.taken]).toEqual([['1', '2'], { tasks: 2, bytes: 8 }])
  shares.get('1')?.shrinkTo(1)
  shares.get('2')?.shrinkTo(5)
  await settled()
  expect([served, budget.taken]).toEqual([['1', '2', '3'], { tasks: 3, bytes: 9 }])
  release('2')
  release('2')
  await settled()
  expect([served, budget.taken]).toEqual([['1', '2', '3', '4'], { tasks: 3, bytes: 9 }])
  for (const name of served) release(name)
  await Promise.all(all)
  expect(budget.taken).toEqual({ tasks: 0, bytes: 0 })
})

test('queues of the image budget take turns, however long one of them is', async () => {
  const { served, take, settled, release } = budgetOfTen()
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) void take(name, { line: 'a', bytes: 10 })
  void take('b1', { line: 'b', bytes: 10 })
  for (const name of ['a1', 'a2', 'b1']) {
    await settled()
    release(name)
  }
  await settled()
  expect(served).toEqual(['a1', 'a2', 'b1', 'a3'])
})

test('owners take turns within a queue of the image budget, however many tasks one of them has', async () => {
  const { served, take, settled, release } = budgetOfTen()
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) void take(name, { owner: 'alice', bytes: 10 })
  const leaver = new AbortController()
  const left = expect(take('b0', { owner: 'bob', bytes: 10 }, leaver.signal)).rejects.toThrow('left')
  void take('b1', { owner: 'bob', bytes: 10 })
  leaver.abort(new Error('left'))
  await left
  for (const name of ['a1', 'b1', 'a2']) {
    await settled()
    release(name)
  }
  await settled()
  expect(served).toEqual(['a1', 'b1', 'a2', 'a3'])
})

test('an owner gets at most as much of the image budget as is left for others', async () => {
  for (const bytes of [1, 10]) {
    const { budget, served, take, settled, release } = budgetOfTen(bytes === 1 ? 8 : 1000, 80)
    for (let i = 0; i < 8; i++) void take(`a${i}`, { owner: 'alice', line: `line ${i % 3}`, bytes })
    await settled()
    expect(served).toHaveLength(4)
    void take('b', { owner: 'bob', line: 'line 0', bytes })
    await settled()
    expect(served.at(-1)).toBe('b')
    for (let i = 0; i < 9; i++) {
      for (const name of served) release(name)
      await settled()
    }
    expect(served).toHaveLength(9)
    expect(budget.taken).toEqual({ tasks: 0, bytes: 0 })
  }
})

test('a queue of the image budget with its own limit does not delay other queues', async () => {
  const { served, take, settled, release } = budgetOfTen()
  for (const name of ['a1', 'a2']) void take(name, { line: 'a', atOnce: 1 })
  void take('b1', { line: 'b' })
  await settled()
  expect(served).toEqual(['a1', 'b1'])
  release('a1')
  await settled()
  expect(served).toEqual(['a1', 'b1', 'a2'])
})

test('a task that needs much of the image budget is not overtaken for ever by small ones', async () => {
  const { served, take, settled } = budgetOfTen()
  const leaver = new AbortController()
  void take('small')
  const large = take('large', { bytes: 10 }, leaver.signal)
  void take('later', { line: 'b' })
  await settled()
  expect(served).toEqual(['small'])
  leaver.abort(new Error('left'))
  await expect(large).rejects.toThrow('left')
  await settled()
  expect(served).toEqual(['small', 'later'])
  await expect(take('never', {}, AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone')
  await expect(take('huge', { bytes: 11 })).rejects.toThrow(RangeError)
})
