import { expect, onTestFinished } from 'vitest'
import { databaseOfFile } from '../../postgres/temporary-database.ts'
import { until } from '../../until.ts'
import { storedJobs } from '../audit/stored-jobs.ts'
import { startCampaign } from '../campaign/campaign.ts'
import { create } from '../campaign/client.ts'
import type { StartedServer } from '../campaign/started-server.ts'

/** Puts an end to a server on Postgres in the middle of a poll, and checks that another server completes the job. */
export async function checkTakeOver(
  stop: (server: StartedServer) => Promise<unknown>,
  withinMs: number,
): Promise<void> {
  const database = await databaseOfFile()
  let isHolding = true
  const hold = ({ kind }: { kind: string }) =>
    isHolding && kind === 'poll' ? new Promise(() => {}) : undefined
  const campaign = await startCampaign(onTestFinished, { shared: { database }, delays: { answer: hold } })
  const { calls, ledger } = campaign.vendor
  const doomed = campaign.start()
  await create(campaign, doomed, { prompt: 'the one', task_ms: 100 })
  await until(() => calls.some(({ kind }) => kind === 'poll'))
  await campaign.start().address
  isHolding = false
  await stop(doomed)
  await until(async () => (await storedJobs(database))[0]?.phase === 'completed', withinMs)
  const [job] = await storedJobs(database)
  expect([job?.costUsd, ledger.length]).toEqual([ledger[0]?.costUsd, 1])
}
