import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { audit } from './audit/rules.ts'
import { startCampaign } from './campaign/campaign.ts'
import { dieOverEach } from './campaign/die-over-each.ts'
import { killPoints } from './service/kill-points.ts'

/** Each owner can pay for all jobs, as long as no death leaves a reservation behind. */
const balancesUsd = { alice: 0.6, bob: 0.6 }

describe('a service whose server is killed 21 times', () => {
  test.concurrent.for(killPoints)(
    '%s loses no job, pays for none twice and leaves no reservation behind',
    { timeout: 900_000 },
    async (point, { onTestFinished }) => {
      const campaign = await startCampaign(onTestFinished, { balancesUsd })
      await dieOverEach(campaign, point, 21)
      expect(await audit(campaign, campaign.clock.now())).toEqual([])
      const { deaths, files } = campaign.places
      expect(readdirSync(deaths)).toHaveLength(21)

      const jobs = campaign.jobs()
      // If a client lost its connection and did not come back, its job exists only if it had already been
      // stored.
      expect(jobs).toHaveLength(point === 'before the insert' ? 11 : 21)
      // A submit about which nobody can ask was paid for once, and is not submitted again.
      if (point === 'after the provider has accepted')
        expect(jobs.filter(({ error }) => error?.code === 'submit_ambiguous')).toHaveLength(7)
      const halves = readdirSync(files).filter((name) => name.endsWith('.incoming'))
      if (point === 'in the middle of a copy') expect(halves.length).toBeGreaterThanOrEqual(21)
    },
  )
})

test.concurrent.for(['deno', 'bun'] as const)(
  'a service on %s that is killed six times as soon as it has paid loses no job and pays for none twice',
  async (runtime, { onTestFinished }) => {
    const campaign = await startCampaign(onTestFinished, { balancesUsd })
    await dieOverEach(campaign, 'after the provider has accepted', 6, runtime)
    expect(await audit(campaign, campaign.clock.now())).toEqual([])
    expect(campaign.vendor.ledger).toHaveLength(6)
  },
)
