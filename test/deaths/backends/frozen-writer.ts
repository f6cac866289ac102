import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import { type Answer, createSteadily, serveFile } from '../../backend-sqlite/served-file.ts'
import { temporaryFile } from '../../backend-sqlite/temporary-file.ts'
import { startProcess } from '../../processes/start-process.ts'
import { scriptCommand } from '../../processes/start-server.ts'

const writer = new URL('../../backend-sqlite/processes/insert-whatever-happens.ts', import.meta.url)

/** Expects each create to be answered within 10 s: it is stored, or it is refused with the time of the next try. */
export function expectInTime(answers: readonly Answer[]): void {
  for (const answer of answers) {
    if (answer.status !== 202)
      expect(answer).toMatchObject({ status: 503, code: 'store_unavailable', retryAfter: '3' })
    expect(answer.took).toBeLessThan(10_000)
  }
}

/** Freezes a process that writes to the same file, again and again, and checks that creates are stored meanwhile. */
export async function checkBesideFrozenWriter(freezes: number): Promise<void> {
  const file = temporaryFile()
  const { create } = await serveFile(file)
  const neighbour = startProcess(scriptCommand('node', writer, file, 'theirs'))
  await neighbour.line()
  const end = createSteadily(create, 20)
  for (let freeze = 0; freeze < freezes; freeze++) {
    neighbour.child.kill('SIGSTOP')
    await pause(30)
    neighbour.thaw()
    // The pause differs each time, so that the neighbour is stopped at different points of its work.
    await pause((freeze * 7) % 23)
  }
  const answers = await end()
  expectInTime(answers)
  expect(answers.filter(({ status }) => status === 202).length).toBeGreaterThan(0.9 * answers.length)
}
