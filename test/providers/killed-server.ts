import { sqliteBackend } from '@genmount/backend-sqlite'
import { createGenerationService } from '@genmount/core'
import { arkProvider } from '@genmount/provider-ark'
import { xaiProvider } from '@genmount/provider-xai'
import { setTimeout } from 'node:timers/promises'

/*
 * A program to be killed: a service with its jobs in the file JOBS_FILE, before the fake of the vendor VENDOR at
 * BASE_URL. It creates a job for a film unless JOB names one, prints the job's id and each of its phases, and runs on.
 */

const { JOBS_FILE = '', VENDOR = '', BASE_URL: baseUrl = '', TOKEN: token = '', JOB } = process.env
const film = { outputKind: 'video', typicalMs: 1 } as const
const provider =
  VENDOR === 'ark'
    ? arkProvider({ token, baseUrl, models: { film: { ...film, model: 'seedance-1-5-pro-251215' } } })
    : xaiProvider({ token, baseUrl, models: { film: { ...film, model: 'grok-imagine-video' } } })

const backend = sqliteBackend({ file: JOBS_FILE })
const service = createGenerationService({ providers: [provider], backend })
service.start()
const created = { owner: 'alice', model: 'film', input: { prompt: 'a fox' } }
const id = JOB ?? (await service.create(created)).job.id
console.log(`job ${id}`)
for (let told = ''; ; await setTimeout(20)) {
  const job = await backend.jobs.get(id)
  const phase = job?.error?.code ?? job?.phase ?? 'gone'
  if (phase !== told) console.log(`phase ${phase}`)
  told = phase
}
