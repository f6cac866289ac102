import { createHash } from 'node:crypto'
import { type Campaign, recoveryMs } from '../campaign/campaign.ts'
import type { JobObject } from '../campaign/witness.ts'
import { type Findings, gatherFindings } from './findings.ts'
import { hastyEnds, waitsForOlder, wasCut } from './early-ends.ts'
import { storyOf } from './story-of.ts'
import { suspects, wasGivenUp, whoCouldHaveKnown } from './what-was-known.ts'
import { workedMs } from './worked-time.ts'

/**
 * How long the service waits for a callback after the answer to a submit was lost, in milliseconds of its
 * clock.
 */
const callbackGraceMs = 120_000
/** After how long a job during whose steps processes have died loses its turn to the next, in milliseconds of the service. */
const longestTurnMs = 5000

/** What must be true after every run. Each rule returns one text for each breach. */
export const rules = {
  'lost: was acknowledged and is not there': (findings) => {
    const { acknowledged, deleted, missed, read } = findings
    return [...acknowledged.keys()]
      .filter((id) => missed.has(id) || (typeof read.get(id) !== 'object' && !deleted.has(id)))
      .map((id) => `${id}${storyOf(findings, id)}`)
  },

  'back: was deleted and is there': ({ deleted, stored, read }) => {
    const rows = new Map(stored.map((job) => [job.id, job.phase]))
    return [...deleted].flatMap((id) => {
      const row = rows.get(id)
      if (typeof read.get(id) === 'object') return `${id}, shown to its owner`
      return row === undefined ? [] : `${id}, as a row that is ${row}`
    })
  },

  'spent: was canceled before its submit and paid for': (findings) =>
    jobsOf(findings)
      // This error says that no vendor can have accepted the job.
      .filter(({ error }) => error?.startsWith('canceled: The job was canceled before it was submitted.'))
      .filter(({ id }) => centsPaid(findings, id) > 0)
      .map(({ id }) => id),

  'unfinished: has no end': (findings) =>
    findings.stored
      .filter(({ id }) => jobIn(findings.read, id)?.status === 'processing' && !waitsForOlder(findings, id))
      .map(({ id }) => `${id}${storyOf(findings, id)}`),

  'late: took longer than a lease, a sweep and two polls, and its turn among suspects': (findings) => {
    const inTurns = suspects(findings)
    return jobsOf(findings)
      .filter((job) => {
        const { id, input, model } = job
        const vendorsMs = (input.answer_ms + input.task_ms) * findings.clockSpeed
        const graceMs =
          (model === 'callback' ? callbackGraceMs : 0) + (endsForWantOfAnswer(job) ? findings.mayReturnMs : 0)
        const turnsMs = inTurns.has(id) ? inTurns.size * longestTurnMs : 0
        const allowedMs = recoveryMs + vendorsMs + graceMs + turnsMs + findings.toleranceMs
        return workedMs(findings, job) > allowedMs
      })
      .map(({ id, completed_at: at }) => `${id}, ${at}${storyOf(findings, id)}`)
  },

  'changed: was finished and is otherwise now': (findings) =>
    [...findings.changed].map(([id, texts]) => `${id}: ${texts.join(', then ')}${storyOf(findings, id)}`),

  'paid twice: more than one submit was paid for': (findings) =>
    [...Map.groupBy(findings.ledger, ({ order }) => order.job_id)]
      .filter(([, entries]) => entries.length > 1)
      .map(([id, [first]]) => {
        const wish = findings.cancelAsked.has(id) ? ', to be cancelled' : ''
        return `${id} of ${first?.order.kind}${wish}${storyOf(findings, id)}`
      }),

  'unknown: was paid for and is not there': ({ ledger, stored, deleted }) => {
    const ids = new Set([...stored.map(({ id }) => id), ...deleted])
    return ledger.map(({ order }) => order.job_id).filter((id) => !ids.has(id))
  },

  'cost: the job tells another than the ledger': (findings) =>
    jobsOf(findings)
      .filter((job) => cents(job.cost_usd) !== (isUntold(findings, job) ? 0 : centsPaid(findings, job.id)))
      .map((job) => `${job.id} tells $${job.cost_usd}, paid ${centsPaid(findings, job.id)} cents`),

  'money: what is spent and reserved passes the balance, or is not what the vendor has charged': ({
    money,
  }) => money?.breaches ?? [],

  'reserved: has ended with a known cost, and its reservation still counts': (findings) =>
    (findings.money?.unsettled ?? []).filter((id) => {
      const job = jobIn(findings.read, id)
      return job && !isUntold(findings, job)
    }),

  // Only the vendor knows what was paid for an ambiguous job. So the cost of these jobs, and nothing else, is
  // missing in the sum.
  'sum: all jobs together cost another sum than the ledger': (findings) => {
    const jobs = jobsOf(findings)
    const told = jobs.reduce((sum, job) => sum + cents(job.cost_usd), 0)
    const untold = jobs
      .filter((job) => isUntold(findings, job))
      .reduce((sum, { id }) => sum + centsPaid(findings, id), 0)
    const there = findings.ledger.filter(({ order }) => !findings.deleted.has(order.job_id))
    const paid = there.reduce((sum, { costUsd }) => sum + cents(costUsd), 0)
    return told + untold === paid ? [] : [`${told} and ${untold} cents, paid ${paid}`]
  },

  'outcome: ended otherwise than at the vendor': (findings) =>
    jobsOf(findings)
      .filter((job) => job.status !== 'processing' && !isAmbiguous(job) && !isGivenUp(findings, job))
      .filter((job) => !isLostInHand(findings, job) && !job.error?.startsWith('canceled: '))
      .filter((job) => centsPaid(findings, job.id) === 0 || !isAsMade(job))
      .map((job) => {
        const wish = findings.cancelAsked.has(job.id) ? ', to be cancelled' : ''
        return `${job.id} of ${job.model}${wish} is ${job.status}, ${job.error}${storyOf(findings, job.id)}`
      }),

  'dropped: was paid for and not delivered, though that was known': (findings) =>
    jobsOf(findings)
      .filter((job) => (isAmbiguous(job) || isLostInHand(findings, job)) && centsPaid(findings, job.id) > 0)
      .flatMap(({ id, model, error }) => {
        const knower = whoCouldHaveKnown(findings, id)
        return knower === undefined ? [] : [`${id} of ${model}, ${knower}: ${error}${storyOf(findings, id)}`]
      }),

  'hasty: failed as ambiguous while a process that had the answer lived': (findings) =>
    hastyEnds(findings).map((id) => `${id}${storyOf(findings, id)}`),

  'cut: a server that closed did not wait for the answer to a submit that was paid for': (findings) =>
    jobsOf(findings)
      .filter((job) => isAmbiguous(job) && wasCut(findings, job))
      .map(({ id }) => `${id}${storyOf(findings, id)}`),

  'file: does not come as the vendor made it': ({ badFiles }) => badFiles,

  'input: its vendor could not read what its client has uploaded': (findings) =>
    findings.ledger.flatMap(({ taskId, order: { job_id: id } }) => {
      const outcome = findings.picturesRead.get(taskId) ?? 'whole'
      const job = jobIn(findings.read, id)
      // The link to a job's input ends when the job fails.
      const isExcused = !job || job.status === 'failed'
      return outcome === 'whole' || isExcused ? [] : [`${id}, ${outcome}${storyOf(findings, id)}`]
    }),

  // After the death of five processes during the copy, the service leaves the output where it is.
  'uncopied: is still at the vendor': (findings) =>
    findings.stored
      .filter(({ phase, deletedAt }) => phase === 'completed' && deletedAt === undefined)
      .filter(({ outputs }) => outputs.some(({ fileKey }) => fileKey === undefined))
      .filter(({ id }) => !wasGivenUp(findings, id))
      .map(({ id }) => id),

  'stray: nobody has ordered it': ({ stored, orders }) => {
    const prompts = Map.groupBy(stored, ({ shownInput }) => String(shownInput['prompt']))
    return [...prompts]
      .flatMap(([prompt, jobs]) => (orders.has(prompt) ? jobs.slice(1) : jobs))
      .map(({ id }) => id)
  },

  'orphan: a file of no job': (findings) => {
    const { fileNames, stored, deleted, acknowledged } = findings
    const expected = new Set(
      stored.flatMap(({ id, shownInput }) => fileNamesOf(id, Number(shownInput['outputs']))),
    )
    const gone = new Map(
      [...deleted, ...acknowledged.keys()].flatMap((id) => fileNamesOf(id, 2).map((name) => [name, id])),
    )
    return fileNames
      .filter((name) => !expected.has(name) && !name.endsWith('.incoming'))
      .map((name) => {
        const id = gone.get(name)
        return id === undefined ? name : `${name} of ${id}${storyOf(findings, id)}`
      })
  },

  'untold: its client was not told of its end': (findings) => {
    const told = findings.webhooks.filter(({ isAccepted }) => isAccepted)
    return jobsOf(findings)
      .filter(({ input, status }) => findings.orders.get(input.prompt)?.hasWebhook && status !== 'processing')
      .filter(({ id, status }) => !told.some(({ type, data }) => data.id === id && type === `job.${status}`))
      .map(({ id, status }) => `${id}, ${status}`)
  },

  'early: its client was told something else than its end': ({ webhooks, read }) =>
    webhooks
      .filter(({ type, data }) => {
        const end = jobIn(read, data.id)
        if (type !== `job.${data.status}`) return true
        return end && !isAmbiguous(data) && JSON.stringify(end) !== JSON.stringify(data)
      })
      .map(({ type, data }) => `${data.id}, ${type}`),

  'leak: a secret was written down': ({ leaks }) => leaks,

  'crashed: a server has ended by an error of its own': ({ lives, logEnd }) =>
    lives
      .filter(({ exitCode }) => exitCode !== null && exitCode !== 0)
      .map(({ pid, exitCode }) => `${pid}, exit code ${exitCode}, at the end of the log: ${logEnd}`),
} satisfies Record<string, (findings: Findings) => readonly string[]>

/**
 * Compares what was acknowledged and paid for with what clients can read, after the service has finished all its work.
 * @param healedAt the instant after which no process was killed, by the clock of the service
 * @returns everything that is wrong, each with the name of the rule that it breaks
 */
export async function audit(campaign: Campaign, healedAt: number): Promise<readonly string[]> {
  await campaign.settled()
  return breaches(await gatherFindings(campaign, healedAt))
}

/** Everything that breaks a rule, each with the name of the rule. An empty list if all is well. */
export function breaches(findings: Findings): readonly string[] {
  return Object.entries(rules).flatMap(([rule, find]) => find(findings).map((what) => `${rule}: ${what}`))
}

function isAsMade({ status, data, error, input }: JobObject): boolean {
  if (input.fails) return error?.startsWith('provider_failed: The vendor failed.') ?? false
  return status === 'completed' && data.length === input.outputs
}

/**
 * Whether the outputs came with the answer to a submit and were lost before they could be stored. A vendor that takes a
 * repeated submit for the same gives them again, but the service does not repeat the submit of a job to be canceled.
 */
function isLostInHand({ cancelAsked }: Findings, { id, model, error }: JobObject): boolean {
  const isGivenOnce = model === 'at-once' || (model === 'dedupe' && cancelAsked.has(id))
  return isGivenOnce && (error?.startsWith('output_invalid: The outputs were lost') ?? false)
}

function jobIn(read: Findings['read'], id: string): JobObject | undefined {
  const job = read.get(id)
  return typeof job === 'object' ? job : undefined
}

function jobsOf({ read }: Findings): readonly JobObject[] {
  return [...read.values()].filter((job) => typeof job === 'object')
}

/** Whether only the vendor knows what was paid for the job. */
function isUntold(findings: Findings, job: JobObject): boolean {
  return isAmbiguous(job) || (isGivenUp(findings, job) && job.cost_usd === 0)
}

/** A job that is given up while its outputs are stored tells its cost, and one that is given up earlier tells none. */
function isGivenUp(findings: Findings, { id, error }: JobObject): boolean {
  return error?.startsWith('service_failed:') === true && wasGivenUp(findings, id)
}

function isAmbiguous({ error }: JobObject): boolean {
  return error?.startsWith('submit_ambiguous:') ?? false
}

/**
 * What was paid for the first submit of the job, in cents. Another rule checks that there is no second one.
 */
function centsPaid({ ledger }: Findings, jobId: string): number {
  return cents(ledger.find(({ order }) => order.job_id === jobId)?.costUsd ?? 0)
}

function cents(usd: number): number {
  return Math.round(usd * 100)
}

/**
 * The file names that files-disk uses for the outputs of a job. Its README describes the hash; core makes the
 * key.
 */
function fileNamesOf(jobId: string, outputs: number): readonly string[] {
  return Array.from({ length: outputs }, (_, index) =>
    createHash('sha256').update(`${jobId}-${index}`, 'utf16le').digest('hex'),
  )
}

/** Whether the job failed because only the process that had its answer or its outputs knew them. */
function endsForWantOfAnswer(job: JobObject): boolean {
  return isAmbiguous(job) || job.error?.startsWith('output_invalid') === true
}
