import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { runProgram } from '../../processes/run-program.ts'
import { runtimes } from '../../processes/runtimes.ts'
import { bundledProgram } from '../../suite/bundled-programs.ts'
import { vendorCases } from '../hosted-vendors.ts'

/** What became of a job for three outputs, as `spread-server.ts` prints it. */
export interface SpreadEnd {
  readonly phase: 'completed' | 'failed'
  readonly code?: string
  readonly outputs: number
  readonly isCostKnown: boolean
  readonly moments: number
}

/**
 * Kills a process at one of its moments, lets another one finish the job, and checks that no part is paid for twice and that what
 * was paid for is delivered, except the part that was being made at the death.
 * @param killAt counts from 1. With 0, the process lives
 */
export async function checkSpreadDeath(vendor: string, killAt: number): Promise<SpreadEnd> {
  const program = [...runtimes.node, await bundledProgram('test/providers/killed/spread-server.ts')] as const
  const folder = await mkdtemp(join(tmpdir(), 'genmount-spread-'))
  const fake = await vendorCases[vendor]!.fake(1)
  const env = { FOLDER: folder, VENDOR: vendor, ORIGIN: fake.origin }
  try {
    const first = await runProgram(program, { env: { ...env, KILL_AT: String(killAt) } })
    const last = first.exit === 'SIGKILL' ? await runProgram(program, { env }) : first
    expect(last, `killed at moment ${killAt}`).toMatchObject({ exit: 0 })
    const end = JSON.parse(last.stdout) as SpreadEnd
    const paid = fake.ledger.length
    const story = `${vendor} killed at moment ${killAt}: ${last.stdout}, paid ${paid}`
    expect(paid, story).toBeLessThanOrEqual(3)
    if (end.phase === 'failed') expect([end.code, paid <= 1], story).toEqual(['submit_ambiguous', true])
    else expect(end.outputs, story).toBeGreaterThanOrEqual(Math.max(2, paid - 1))
    if (first.exit === 0) expect([end.phase, end.outputs, paid], story).toEqual(['completed', 3, 3])
    return end
  } finally {
    await fake.close()
    await rm(folder, { recursive: true, force: true })
  }
}
