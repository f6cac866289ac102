import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type Answer, createSteadily, serveFile } from './served-file.ts'
import { startProcess } from './started-process.ts'
import { temporaryFile } from './temporary-file.ts'

/** Expects each create to be answered within 10 s: it is stored, or it is refused with the time of the next try. */
function expectInTime(answers: readonly Answer[]): void {
  for (const answer of answers) {
    if (answer.status !== 202)
      expect(answer).toMatchObject({ status: 503, code: 'store_unavailable', retryAfter: '3' })
    expect(answer.took).toBeLessThan(10_000)
  }
}

test('while a neighbour is frozen with the write lock creates are refused soon, and stored right after', async () => {
  const file = temporaryFile()
  const { create } = await serveFile(file)
  expect(await create()).toMatchObject({ status: 202 })
  const neighbour = startProcess('hold-lock.ts', [file])
  expect(await neighbour.line()).toBe('held')
  neighbour.child.kill('SIGSTOP')
  const end = createSteadily(create, 20)
  await pause(3_000)
  const answers = await end()
  expectInTime(answers)
  expect(answers.length).toBeGreaterThan(50)
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]))

  neighbour.child.stdin?.end()
  neighbour.child.kill('SIGCONT')
  await expect.poll(async () => (await create()).status).toBe(202)
})

test('a neighbour that writes all the time and is frozen again and again lets creates through', async () => {
  const file = temporaryFile()
  const { create } = await serveFile(file)
  const neighbour = startProcess('insert-whatever-happens.ts', [file, 'theirs'])
  await neighbour.line()
  const end = createSteadily(create, 20)
  for (let freeze = 0; freeze < 100; freeze++) {
    neighbour.child.kill('SIGSTOP')
    await pause(30)
    neighbour.child.kill('SIGCONT')
    // The pause differs each time, so that the neighbour is stopped at different points of its work.
    await pause((freeze * 7) % 23)
  }
  const answers = await end()
  expectInTime(answers)
  expect(answers.filter(({ status }) => status === 202).length).toBeGreaterThan(0.9 * answers.length)
})
