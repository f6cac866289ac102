import { appendFileSync, truncateSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { diskFiles } from '@genmount/files-disk'
import { audit } from './audit/rules.ts'
import { type Campaign, startCampaign } from './campaign/campaign.ts'
import { readJob } from './campaign/client.ts'
import {
  addTwin,
  ambiguous,
  backdateDiary,
  jobOf,
  payAgain,
  quietRun,
  rewrite,
  storedFile,
  tamper,
} from './campaign/tampering.ts'
import { diaryIn } from './service/diary.ts'
import { vendorFile, vendorOrigin } from './vendor/vendor-file.ts'

interface Fault {
  readonly plant: (campaign: Campaign) => unknown
  /** The rules that this mistake breaks. */
  readonly breaks: readonly string[]
}

const faults: Record<string, Fault> = {
  'an acknowledged job that is gone': {
    plant: (campaign) => tamper(campaign, 'DELETE FROM jobs WHERE id = ?', jobOf(campaign, 'find').id),
    breaks: ['lost', 'unknown', 'sum', 'orphan'],
  },
  'an acknowledged job that belongs to somebody else': {
    plant: (campaign) => rewrite(campaign, 'find', { owner: 'bob' }),
    breaks: ['lost', 'sum'],
  },
  'an acknowledged job that was gone for a moment': {
    plant: async (campaign) => {
      const { id } = jobOf(campaign, 'find')
      const [address = ''] = await campaign.addresses()
      rewrite(campaign, 'find', { owner: 'bob' })
      await readJob(campaign, { address, id, owner: 'alice' })
      rewrite(campaign, 'find', { owner: 'alice' })
    },
    breaks: ['lost'],
  },
  'a job that does not end': {
    plant: (campaign) => rewrite(campaign, 'find', { phase: 'running' }),
    breaks: ['unfinished', 'changed', 'cost', 'sum'],
  },
  'a job that ended an hour late': {
    plant: (campaign) => rewrite(campaign, 'find', { completedAt: campaign.clock.now() + 3_600_000 }),
    breaks: ['late', 'changed'],
  },
  'a finished job of which a word is changed': {
    plant: (campaign) => rewrite(campaign, 'find', { inferenceMs: 12_345 }),
    breaks: ['changed'],
  },
  'a second submit': {
    plant: (campaign) => payAgain(campaign, jobOf(campaign, 'plain'), jobOf(campaign, 'plain').shownInput),
    breaks: ['paid twice', 'sum'],
  },
  'a cost that is not what was paid': {
    plant: (campaign) => rewrite(campaign, 'dedupe', { costUsd: 0.5 }),
    breaks: ['changed', 'cost', 'sum'],
  },
  'a failure that costs nothing, though it was paid for': {
    plant: (campaign) => rewrite(campaign, 'plain, in vain', { costUsd: 0 }),
    breaks: ['changed', 'cost', 'sum'],
  },
  'a job that failed though its vendor has made it': {
    plant: (campaign) =>
      rewrite(campaign, 'plain', {
        phase: 'failed',
        error: { code: 'provider_lost', message: 'The vendor knows no such task.' },
      }),
    breaks: ['changed', 'outcome'],
  },
  'an ambiguous submit to a vendor that could have found the task': {
    plant: (campaign) => rewrite(campaign, 'find', ambiguous),
    breaks: ['changed', 'dropped'],
  },
  'an ambiguous submit of which a callback has told': {
    plant: (campaign) => {
      expect(campaign.vendor.calledBack.size).toBe(1)
      rewrite(campaign, 'callback', ambiguous)
    },
    breaks: ['changed', 'dropped'],
  },
  'an ambiguous submit whose answer came to a process that lived on': {
    plant: (campaign) => {
      backdateDiary(campaign)
      rewrite(campaign, 'plain', ambiguous)
    },
    breaks: ['changed', 'dropped'],
  },
  'nothing but the change in an ambiguous submit whose answer died with its process': {
    plant: async (campaign) => {
      await campaign.servers[0]?.kill()
      await campaign.start().address
      rewrite(campaign, 'plain', ambiguous)
    },
    breaks: ['changed'],
  },
  'outputs that came with an answer and were lost by a process that lived on': {
    plant: (campaign) => {
      backdateDiary(campaign)
      const error = { code: 'output_invalid', message: 'The outputs were lost.' } as const
      rewrite(campaign, 'at-once', { phase: 'failed', error })
    },
    breaks: ['changed', 'dropped'],
  },
  'nothing but the change in a canceled job whose outputs died with the process that had them': {
    plant: async (campaign) => {
      await campaign.servers[0]?.kill()
      await campaign.start().address
      campaign.witness.cancelAsked.add(jobOf(campaign, 'dedupe').id)
      const error = { code: 'output_invalid', message: 'The outputs were lost.' } as const
      rewrite(campaign, 'dedupe', { phase: 'failed', error })
    },
    breaks: ['changed'],
  },
  'nothing but the change in a job that its vendor made before it was cancelled': {
    plant: (campaign) => {
      backdateDiary(campaign)
      campaign.witness.cancelAsked.add(jobOf(campaign, 'dedupe').id)
      const error = { code: 'canceled', message: 'The job was canceled.' } as const
      rewrite(campaign, 'dedupe', { phase: 'failed', error })
    },
    breaks: ['changed'],
  },
  'nothing but the change in a job that was given up after its vendor had told the cost': {
    plant: (campaign) => {
      const { id: jobId } = jobOf(campaign, 'find')
      const write = diaryIn(campaign.places.diary)
      write({ what: 'write', jobId, phase: 'collecting', revision: 9, deaths: 5 })
      const error = { code: 'service_failed', message: 'The service broke down.' } as const
      rewrite(campaign, 'find', { phase: 'failed', error })
    },
    breaks: ['changed'],
  },
  'a file that is cut short': {
    plant: (campaign) => truncateSync(storedFile(campaign), 1000),
    breaks: ['file'],
  },
  'a file with the bytes of another': {
    plant: async (campaign) => {
      const { fileKey = '' } = jobOf(campaign, 'find').outputs[0] ?? {}
      await diskFiles({ folder: campaign.places.files }).put(fileKey, vendorFile('task-0', 0), 'image/png')
    },
    breaks: ['file'],
  },
  'an output that was left at the vendor': {
    plant: (campaign) => {
      const job = jobOf(campaign, 'find')
      const { taskId } = campaign.vendor.ledger.find(({ order }) => order.job_id === job.id) ?? {}
      rewrite(campaign, 'find', { outputs: [{ url: `${vendorOrigin}/files/${taskId}/0` }] })
    },
    breaks: ['uncopied'],
  },
  'nothing in an output whose copy was given up': {
    plant: (campaign) => {
      const { id: jobId } = jobOf(campaign, 'find')
      const { taskId } = campaign.vendor.ledger.find(({ order }) => order.job_id === jobId) ?? {}
      const write = diaryIn(campaign.places.diary)
      write({ what: 'write', jobId, phase: 'completed', revision: 9, deaths: 5 })
      rewrite(campaign, 'find', { outputs: [{ url: `${vendorOrigin}/files/${taskId}/0` }] })
    },
    breaks: [],
  },
  'an output that leads to the file of another task': {
    plant: (campaign) => rewrite(campaign, 'find', { outputs: [{ url: `${vendorOrigin}/files/task-0/0` }] }),
    breaks: ['file', 'uncopied'],
  },
  'a job that no client has created': {
    plant: (campaign) => addTwin(campaign, jobOf(campaign, 'find').id),
    breaks: ['cost', 'sum', 'outcome', 'file', 'stray'],
  },
  'a file of no job': {
    plant: ({ places }) =>
      diskFiles({ folder: places.files }).put('gen_nobody-0', vendorFile('task-0', 0), 'image/png'),
    breaks: ['orphan'],
  },
  'a job of whose end no webhook was sent': {
    plant: ({ receiver }) => void receiver.received.splice(0),
    breaks: ['untold'],
  },
  'a webhook that was sent before its job had ended': {
    plant: ({ receiver }) => {
      const [first] = receiver.received
      if (first) receiver.received.push({ ...first, data: { ...first.data, cost_usd: 7 } })
    },
    breaks: ['early'],
  },
  'a server that has ended by an error of its own': {
    plant: async (campaign) => {
      const crashed = campaign.start()
      await crashed.address
      // No order is null, so the server throws an error that nothing catches.
      crashed.tell(null as never)
      await crashed.ended
    },
    breaks: ['crashed'],
  },
  'a bearer key in the log': {
    plant: ({ logFile, keys }) => appendFileSync(logFile, `401 for ${keys['bob']}\n`),
    breaks: ['leak'],
  },
  "the vendor's key in the database": {
    plant: (campaign) =>
      tamper(
        campaign,
        'UPDATE jobs SET idempotency_key = ? WHERE id = ?',
        `["${campaign.vendor.secret}"]`,
        jobOf(campaign, 'find').id,
      ),
    breaks: ['leak'],
  },
}

describe('the auditor of the storms reports', () => {
  test.concurrent.for(Object.entries(faults))('%s', async ([, { plant, breaks }], { onTestFinished }) => {
    const campaign = await startCampaign(onTestFinished)
    await quietRun(campaign)
    expect(await audit(campaign, campaign.clock.now())).toEqual([])
    await plant(campaign)
    const broken = await audit(campaign, campaign.clock.now())
    expect([...new Set(broken.map((breach) => breach.split(':')[0]))]).toEqual(breaks)
  })
})
