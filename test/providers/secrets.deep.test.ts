import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sqliteBackend } from '@genmount/backend-sqlite'
import { apiKeys, toFetchHandler } from '@genmount/fetch-handler'
import { expect, onTestFinished, test } from 'vitest'
import { vendorCases } from './hosted-vendors.ts'
import { inWords, saying } from './troubles.ts'
import type { Step, VendorCase } from './vendor-case.ts'
import type { Trouble } from './vendor-server.ts'
import { leaksIn, vendorWorld } from './vendor-world.ts'

/** Texts with our key that a vendor, a proxy in front of it or the network may return. */
function echoes(
  { error, ended, failed, isDurable }: VendorCase,
  key: string,
): readonly (readonly [Step, Trouble | Error])[] {
  const words = `Authorization: Bearer ${key} was refused, x-goog-api-key: ${key}.`
  const headers = { 'x-echo': key, 'www-authenticate': `Bearer realm="${key}"` }
  const elsewhere = saying(307, error(words), { location: `https://elsewhere.example/?key=${key}` })
  const unreachable = new TypeError(
    `request to https://vendor.example/?key=${encodeURIComponent(key)} failed`,
    {
      cause: Object.assign(new Error(`connect ECONNREFUSED (Key ${key})`), {
        code: 'ECONNREFUSED',
        syscall: 'connect',
      }),
    },
  )
  const broken = new Error(`socket hang up: ${key}`)
  const steps = new Set<Step>(['submit', isDurable ? 'poll' : 'submit', ended('').step])
  const outcomes = [ended(`https://files.example/a.png?key=${key}`), ended(key), failed?.(words)]
  return [
    ...[...steps].flatMap((step) => [
      ...[401, 422, 429, 500].map((status) => [step, saying(status, error(words), headers)] as const),
      [step, saying(500, words, headers)] as const,
      [step, elsewhere] as const,
      [step, unreachable] as const,
      [step, broken] as const,
    ]),
    ...outcomes.flatMap((words) => (words ? [[words.step, inWords(words)] as const] : [])),
  ] satisfies readonly (readonly [Step, Trouble | Error])[]
}

test.each(Object.entries(vendorCases))(
  '%s: a key that the vendor echoes is in no job, no URL, no row of the store and no line of the log',
  async (_name, vendorCase) => {
    const folder = await mkdtemp(join(tmpdir(), 'genmount-'))
    const file = join(folder, 'jobs.db')
    const world = await vendorWorld(vendorCase, { backend: (clock) => sqliteBackend({ file, clock }) })
    onTestFinished(async () => rm(folder, { recursive: true }))
    const handle = toFetchHandler(world.service, { authenticate: apiKeys({ alice: 'alice-key' }) })
    const read = async (path: string) => {
      const headers = { authorization: 'Bearer alice-key' }
      const reply = await handle(new Request(`http://app.example/v1/${path}`, { headers }))
      return [reply.status, [...reply.headers], await reply.text()]
    }

    const shown: unknown[] = []
    const key = world.vendor.secrets.join(' ')
    for (const [step, trouble] of echoes(vendorCase, key)) {
      world.trouble(step, trouble, 1)
      const id = await world.createInTrouble()
      await world.until([id])
      world.calm()
      shown.push(await read(`jobs/${id}`), await read(`files/${id}`))
    }
    await world.close()

    const files = await Promise.all(
      (await readdir(folder)).map((name) => readFile(join(folder, name), 'latin1')),
    )
    expect(files.join().includes('gen_')).toBe(true)
    expect(leaksIn(files.join(), world.vendor)).toEqual([])
    expect(leaksIn(JSON.stringify(shown), world.vendor)).toEqual([])
    expect(world.lines.filter((line) => leaksIn(line, world.vendor).length > 0)).toEqual([])
    expect(JSON.stringify([shown, world.lines])).toContain('[secret]')
  },
)
