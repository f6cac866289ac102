import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Campaign, uploadHours } from './campaign.ts'

const hourMs = 60 * 60_000
/** For how long to wait for the sweep of a server that listens, in milliseconds of the system. */
const patienceMs = 20_000

/**
 * Lets all servers end, starts one after all uploads have expired, and waits for its sweep.
 * @returns how many uploads there were, and the uploads that are left
 */
export async function expiredUploads(
  campaign: Campaign,
): Promise<{ readonly count: number; readonly left: readonly string[] }> {
  const folder = join(campaign.places.files, 'uploads')
  const uploads = () =>
    existsSync(folder) ? readdirSync(folder).filter((name) => !name.endsWith('.incoming')) : []
  const count = uploads().length
  await Promise.all(campaign.servers.map((server) => server.kill()))
  campaign.setClock((uploadHours + 1) * hourMs, campaign.clockSpeed)
  await campaign.start().address
  const until = Date.now() + patienceMs
  while (uploads().length > 0 && Date.now() < until) await delay(50)
  return { count, left: uploads() }
}
