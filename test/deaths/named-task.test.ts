import { readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { until } from '../until.ts'
import { type Campaign, startCampaign } from './campaign/campaign.ts'
import { create } from './campaign/client.ts'
import type { StartedServer } from './campaign/started-server.ts'

const cuts: readonly (readonly [string, (campaign: Campaign, server: StartedServer) => Promise<void>])[] = [
  [
    'refuses writes after the answer to the submit',
    async (_campaign, server) => server.tell({ store: 'jobs', forMs: 600_000, afterNextAnswer: true }),
  ],
  [
    'hangs from before the answer to the submit',
    async ({ vendor, places }) => {
      await until(() => vendor.ledger.length === 1)
      const other = new DatabaseSync(places.database)
      onTestFinished(() => other.close())
      other.exec('BEGIN IMMEDIATE')
    },
  ],
]

test.each(cuts)(
  'the log names the task of a job at its vendor when the job store %s and the server is then killed',
  async (_how, cut) => {
    const campaign = await startCampaign(onTestFinished)
    const server = campaign.start()
    await server.address
    const isCut = cut(campaign, server)
    await create(campaign, server, { prompt: 'a pier', answer_ms: 300, task_ms: 600_000 })
    await isCut
    const log = () => readFileSync(campaign.logFile, 'utf8')
    await until(() => log().includes('is at its provider'))
    await server.kill()
    const [paid] = campaign.vendor.ledger
    expect(log()).toMatch(new RegExp(`Job ${paid?.order.job_id} .*, task "${paid?.taskId}"`))
    // The store has the submit without an answer: only the log knows the task.
    expect(campaign.job(paid?.order.job_id ?? '')).toMatchObject({ phase: 'submitting' })
  },
)
