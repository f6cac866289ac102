import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { until } from '../until.ts'
import { rowInFile } from './audit/stored-jobs.ts'
import { type Campaign, dayMs, startCampaign } from './campaign/campaign.ts'
import { create, get, idOf } from './campaign/client.ts'

const sweepMs = 5000
const speed = 20

/** Waits until each service has swept twice. */
async function swept(): Promise<void> {
  await delay((2.5 * sweepMs) / speed)
}

function running(campaign: Campaign): readonly string[] {
  return campaign
    .jobs()
    .filter(({ phase }) => phase === 'running')
    .map(({ id }) => id)
}

test('servers finish every job and delete none early when their clocks are set back a day, and eight days forward and back, also one that starts meanwhile', async ({
  onTestFinished,
}) => {
  const campaign = await startCampaign(onTestFinished, { speed, sharesClock: true })
  const services = [campaign.start(), campaign.start()]
  const make = (index: number, prompt: string, task_ms: number) =>
    create(campaign, services[index % services.length]!, {
      prompt,
      task_ms,
      outputs: 2,
      poll_after_ms: 3000,
    }).then(idOf)
  const statusOf = async (id: string, index = 0) =>
    (await get(campaign, services[index % services.length]!, `/v1/jobs/${id}`)).status

  const rowOf = (id: string) => rowInFile(campaign.places.database, id)

  const old = await Promise.all([0, 1, 2, 3].map((index) => make(index, `old ${index}`, 20)))
  await until(() => campaign.jobs().every(({ phase }) => phase === 'completed'))
  await campaign.settled()
  const rows = old.map(rowOf)
  const during = await Promise.all([0, 1, 2, 3].map((index) => make(index, `during ${index}`, 1500)))
  await until(() => running(campaign).length === 4)

  campaign.setClock(-dayMs)
  const backAt = campaign.clock.now()
  const young = await Promise.all([0, 1].map((index) => make(index, `young ${index}`, 20)))
  await until(() => campaign.jobs().every(({ phase }) => phase === 'completed'))
  await campaign.settled()
  await swept()
  expect(old.map(rowOf)).toEqual(rows)
  for (const [index, id] of [...old, ...during, ...young].entries())
    expect(await statusOf(id, index)).toBe(200)
  // The jobs end within minutes of the clock that was put back, not a day later, and never before they have started.
  expect(campaign.clock.now()).toBeLessThan(backAt + 600_000)
  for (const id of during) {
    const { startedAt = 0, completedAt = 0 } = campaign.job(id) ?? {}
    expect(completedAt).toBeGreaterThanOrEqual(startedAt)
    expect(completedAt).toBeLessThan(startedAt + 600_000)
  }

  const late = await Promise.all([0, 1].map((index) => make(index, `late ${index}`, 1500)))
  await until(() => running(campaign).length === 2)
  expect(campaign.fileNames()).toHaveLength(20)
  campaign.setClock(8 * dayMs)
  // It has seen nothing of the clock before.
  services.push(campaign.start())
  const fresh = await make(2, 'fresh', 20)
  const all = [...old, ...during, ...young, ...late, fresh]
  await until(() => campaign.jobs().every(({ phase }) => phase === 'completed'))
  await campaign.settled()
  await swept()
  // The server that has just started hides what has expired by its clock, until the clock is right.
  for (const [index, id] of all.entries()) expect(await statusOf(id, index % 2)).toBe(200)
  campaign.setClock(-8 * dayMs)
  await swept()
  for (const [index, id] of all.entries()) expect(await statusOf(id, index)).toBe(200)
  expect(campaign.fileNames()).toHaveLength(26)
  expect(campaign.vendor.ledger).toHaveLength(13)
})
