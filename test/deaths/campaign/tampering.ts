import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Job } from '@genmount/core'
import { textInFile } from '../audit/stored-jobs.ts'
import { readDiary } from '../service/diary.ts'
import { quickWish, type VendorKind, vendorKinds } from '../vendor/task-wish.ts'
import type { Campaign, StartOptions } from './campaign.ts'
import { createKeyedJob } from './client.ts'

/**
 * A run in which nothing goes wrong: one job of each kind that completes, one job that fails, and one job with a
 * webhook.
 */
export async function quietRun(campaign: Campaign, options: StartOptions = {}): Promise<void> {
  const address = await campaign.start(options).address
  const create = (model: VendorKind, what = '', hasWebhook = false) => {
    const wish = { ...quickWish, prompt: model + what, fails: what === ', in vain' }
    return createKeyedJob(campaign, address, { owner: 'alice', model, wish, hasWebhook })
  }
  const others = [create('plain', ', in vain'), create('plain', ', told', true)]
  await Promise.all([...vendorKinds.map((model) => create(model)), ...others])
}

export function jobOf(campaign: Campaign, prompt: string): Job {
  const job = campaign.jobs().find(({ shownInput }) => shownInput['prompt'] === prompt)
  if (!job) throw new Error(`There is no job ${prompt}.`)
  return job
}

/** Writes to the database without the service. */
export function tamper({ places }: Campaign, sql: string, ...values: (string | number | null)[]): void {
  const database = new DatabaseSync(places.database, { timeout: 2000 })
  database.prepare(sql).run(...values)
  database.close()
}

export function rewrite(campaign: Campaign, prompt: string, changes: Partial<Job>): void {
  const job = { ...jobOf(campaign, prompt), ...changes }
  tamper(campaign, 'UPDATE jobs SET phase = ?, job = ? WHERE id = ?', job.phase, textInFile(job), job.id)
}

export function storedFile({ places }: Campaign): string {
  const [name = ''] = readdirSync(places.files)
  return join(places.files, name)
}

export async function payAgain({ vendor }: Campaign, job: Job, wish: object): Promise<void> {
  const order = { job_id: job.id, client_token: job.clientToken, kind: job.model, wish }
  const headers = { authorization: `Bearer ${vendor.secret}` }
  await fetch(`${vendor.address}/tasks`, { method: 'POST', headers, body: JSON.stringify(order) })
}

export const ambiguous: Partial<Job> = {
  phase: 'failed',
  costUsd: 0,
  error: { code: 'submit_ambiguous', message: 'It is not known.' },
}

/** Changes the diary as if the servers had written all of it an hour earlier. */
export function backdateDiary({ places: { diary } }: Campaign): void {
  const entries = readDiary(diary).map((entry) => ({ ...entry, at: entry.at - 3_600_000 }))
  writeFileSync(diary, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''))
}

/** Adds a copy of a job that no client has ordered. */
export function addTwin(campaign: Campaign, id: string): void {
  tamper(
    campaign,
    `INSERT INTO jobs (id, owner, phase, revision, expires_at, job)
     SELECT 'gen_twin', owner, phase, revision, expires_at, json_set(job, '$.id', 'gen_twin')
     FROM jobs WHERE id = ?`,
    id,
  )
}
