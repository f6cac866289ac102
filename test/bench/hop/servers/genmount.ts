import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { sqliteBackend } from '@genmount/backend-sqlite'
import { memoryFileStore } from '@genmount/core'
import { diskFiles } from '@genmount/files-disk'
import { apiKeys, toNodeHandler } from '@genmount/node-http'
import { openaiProvider } from '@genmount/provider-openai'
import { listen } from '../../../loopback.ts'
import { answerParent, cpuMs } from '../../answer-parent.ts'
import { benchService } from '../../bench-service.ts'
import { apiKey, owner } from '../../workload.ts'
import { model } from '../requests.ts'
import type { HopCalls } from './hop-calls.ts'

/** genmount in front of the vendor, with its jobs and files in memory, or in SQLite and on a disk. */

const [kind, vendorUrl] = process.argv.slice(2)

function kept() {
  if (kind === 'memory') return { files: memoryFileStore({ maxBytes: 2 ** 31 }) }
  const folder = mkdtempSync(join(tmpdir(), 'genmount-bench-'))
  process.on('exit', () => rmSync(folder, { recursive: true }))
  return {
    backend: sqliteBackend({ file: join(folder, 'jobs.db') }),
    files: diskFiles({ folder: join(folder, 'outputs') }),
  }
}

const service = benchService({
  providers: [openaiProvider({ token: 'sk-vendor', baseUrl: `${vendorUrl}/v1`, models: { [model]: {} } })],
  ...kept(),
})

/** Deletes all jobs with their files. */
async function clear(): Promise<void> {
  for (;;) {
    const { jobs, next } = await service.list({ owner, limit: 100 })
    for (const { id } of jobs) await service.delete(id, owner)
    if (jobs.length === 0 && next === undefined) return
  }
}

const { origin } = await listen(toNodeHandler(service, { authenticate: apiKeys({ [owner]: apiKey }) }))
const calls: HopCalls = { url: () => origin, cpuMs, clear }
answerParent(calls)
