import { appendFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { diskFiles } from '@genmount/files-disk'
import { audit, rules } from './audit/rules.ts'
import { type Campaign, dayMs, startCampaign } from './campaign/campaign.ts'
import { addTwin, ambiguous, jobOf, payAgain, quietRun, rewrite, tamper } from './campaign/tampering.ts'
import { until } from '../until.ts'
import { vendorFile, vendorOrigin } from './vendor/vendor-file.ts'

/** Plants a fault for each rule. Comments name the rules. */
async function plantFaults(campaign: Campaign): Promise<void> {
  const { vendor, witness, places, receiver, clock } = campaign
  const files = diskFiles({ folder: places.files })
  const paidTask = (prompt: string) =>
    vendor.ledger.find(({ order }) => order.wish.prompt === prompt)?.taskId ?? ''
  const plain = jobOf(campaign, 'plain')
  // lost, unknown, sum, orphan
  tamper(campaign, 'DELETE FROM jobs WHERE id = ?', jobOf(campaign, 'find').id)
  // unfinished, changed, cost, back, input
  rewrite(campaign, 'dedupe', { phase: 'running' })
  witness.deleted.add(jobOf(campaign, 'dedupe').id)
  ;(vendor.picturesRead as Map<string, string>).set(paidTask('dedupe'), 'status 500')
  // dropped
  rewrite(campaign, 'callback', ambiguous)
  // outcome
  const error = { code: 'provider_lost', message: 'The vendor knows no such task.' } as const
  rewrite(campaign, 'at-once', { phase: 'failed', error })
  // late, uncopied, paid twice, money
  const outputs = [{ url: `${vendorOrigin}/files/${paidTask('plain')}/0` }]
  rewrite(campaign, 'plain', { completedAt: clock.now() + 3_600_000, outputs })
  for (let order = 0; order < 4; order++) await payAgain(campaign, plain, plain.shownInput)
  // spent
  const canceled = { code: 'canceled', message: 'The job was canceled before it was submitted.' } as const
  rewrite(campaign, 'plain, in vain', { error: canceled })
  // stray
  addTwin(campaign, jobOf(campaign, 'plain, in vain').id)
  // reserved
  const booked = jobOf(campaign, 'plain, told').id
  tamper(campaign, 'UPDATE costs SET cost_usd = NULL, reserved_micro_usd = 50000 WHERE job_id = ?', booked)
  // file
  const { fileKey = '' } = jobOf(campaign, 'plain, told').outputs[0] ?? {}
  await files.put(fileKey, vendorFile('task-0', 0), 'image/png')
  // untold, early
  const [webhook] = receiver.received.splice(0)
  if (webhook)
    receiver.received.push({ ...webhook, isAccepted: false, data: { ...webhook.data, cost_usd: 7 } })
  // leak
  appendFileSync(campaign.logFile, `401 for ${campaign.keys['bob']}\n`)
  // hasty
  const { id: jobId } = plain
  const end = { pid: campaign.servers[0]?.pid, at: Date.now(), what: 'write', phase: 'failed', revision: 3 }
  appendFileSync(places.diary, `${JSON.stringify({ ...end, jobId, deaths: 0, code: 'submit_ambiguous' })}\n`)
  // cut
  const closed = campaign.start()
  await closed.address
  await closed.close()
  const cut = vendor.ledger.find(({ order }) => order.kind === 'callback')
  if (cut) Object.assign(cut.order, { pid: closed.pid })
  // crashed: no order is null, so the server throws an error that nothing catches.
  const crashed = campaign.start()
  await crashed.address
  crashed.tell(null as never)
  await crashed.ended
}

test('the auditor of the storms finds nothing in a run without faults, and a breach of each of its rules where faults are planted', async ({
  onTestFinished,
}) => {
  const campaign = await startCampaign(onTestFinished, { balancesUsd: { alice: 10 } })
  await quietRun(campaign)
  expect(await audit(campaign, campaign.clock.now())).toEqual([])
  await plantFaults(campaign)
  const breaches = await audit(campaign, campaign.clock.now())
  const nameOf = (text: string) => text.split(':')[0]
  expect([...new Set(breaches.map(nameOf))]).toEqual(Object.keys(rules).map(nameOf))
})

test('the auditor of the storms finds a breach when a server deletes jobs because the clock was set 8 days ahead', async ({
  onTestFinished,
}) => {
  const campaign = await startCampaign(onTestFinished, { speed: 20, sharesClock: true })
  await quietRun(campaign, { trouble: 'believes any clock' })
  expect(await audit(campaign, campaign.clock.now())).toEqual([])
  campaign.misset(8 * dayMs)
  await until(() => campaign.jobs().length === 0)
  campaign.misset(0)
  const breaches = await audit(campaign, campaign.clock.now())
  expect(breaches.filter((text) => text.startsWith('lost:'))).toHaveLength(7)
})

test('the auditor of the storms names the servers that submitted a job that was paid for twice, with the times of their calls and deaths', async ({
  onTestFinished,
}) => {
  const campaign = await startCampaign(onTestFinished)
  await quietRun(campaign)
  const job = jobOf(campaign, 'find')
  const [server] = campaign.servers
  await server?.freeze()
  server?.thaw()
  await payAgain(campaign, job, job.shownInput)
  const [breach = ''] = await audit(campaign, campaign.clock.now())
  const story = breach.split('\n').map((line) => line.replace(/^ *[\d:.]+ /, ''))
  expect(story[0]).toBe(`paid twice: more than one submit was paid for: ${job.id} of find`)
  expect(story).toEqual(
    expect.arrayContaining([
      `${server?.pid} submit`,
      expect.stringMatching(`^the vendor takes task-\\d+ from ${server?.pid}$`),
      `${server?.pid} answer`,
      `${server?.pid} is frozen`,
      `${server?.pid} goes on`,
      expect.stringMatching('^the vendor takes task-\\d+ from undefined$'),
    ]),
  )
  expect(story.at(-1)).toContain(`stored: {"id":"${job.id}"`)
})
