import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { type Answer, create, createSteadily } from '../../backend-sqlite/served-file.ts'
import { startTask } from '../../backend-sqlite/start-script.ts'
import { startProcess } from '../../processes/start-process.ts'
import { scriptCommand } from '../../processes/start-server.ts'
import { startCampaign } from '../campaign/campaign.ts'

/** Expects each create to be answered within 10 s: it is stored, or it is refused with the time of the next try. */
function expectInTime(answers: readonly Answer[]): void {
  for (const answer of answers) {
    if (answer.status !== 202)
      expect(answer).toMatchObject({ status: 503, code: 'store_unavailable', retryAfter: '3' })
    expect(answer.took).toBeLessThan(10_000)
  }
}

test('creates are refused with 503 while a process that holds the write lock of the file is frozen, and are accepted right after', async () => {
  const campaign = await startCampaign(onTestFinished)
  const address = await campaign.start().address
  const file = campaign.places.database
  expect(await create(campaign, address)).toMatchObject({ status: 202 })
  const neighbour = startProcess(
    scriptCommand('node', new URL('processes/hold-lock.ts', import.meta.url), file),
  )
  expect(await neighbour.line()).toBe('held')
  await neighbour.freeze()
  const end = createSteadily(campaign, address, 20)
  await pause(3_000)
  const answers = await end()
  expectInTime(answers)
  expect(answers.length).toBeGreaterThan(50)
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]))

  neighbour.child.stdin.end()
  neighbour.thaw()
  await expect.poll(async () => (await create(campaign, address)).status).toBe(202)
})

test('creates are stored while a process that writes to the same file all the time is frozen 100 times', async () => {
  const campaign = await startCampaign(onTestFinished)
  const address = await campaign.start().address
  const neighbour = startTask('insert for ever', [campaign.places.database, 'theirs'])
  await neighbour.line()
  const end = createSteadily(campaign, address, 20)
  for (let freeze = 0; freeze < 100; freeze++) {
    neighbour.child.kill('SIGSTOP')
    await pause(30)
    neighbour.thaw()
    // The pause differs each time, so that the neighbour is stopped at different points of its work.
    await pause((freeze * 7) % 23)
  }
  const answers = await end()
  expectInTime(answers)
  expect(answers.filter(({ status }) => status === 202).length).toBeGreaterThan(0.9 * answers.length)
})
