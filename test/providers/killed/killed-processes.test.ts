import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launch, type Launched } from '../../processes/launch.ts'
import { runtimes } from '../../processes/runtimes.ts'
import { bundledProgram } from '../../suite/bundled-programs.ts'
import { until } from '../../until.ts'
import { vendorCases } from '../hosted-vendors.ts'
import type { VendorFake } from '../vendor-case.ts'
import { always } from '../vendor-server.ts'
import type { KilledTrial } from './killed-server.ts'

/** What the process does with a job when it is killed. */
type Moment = 'submit' | 'poll' | 'storing'

const program = [...runtimes.node, await bundledProgram('test/providers/killed/killed-server.ts')] as const
const all = Object.keys(vendorCases)
/** The vendors whose outputs outlive the call that makes them. */
const durable = all.filter((vendor) => vendorCases[vendor]?.isDurable)
const moments: Readonly<Record<Moment, readonly string[]>> = { submit: all, poll: durable, storing: all }

/** One fake of the vendor for each moment, all in front of one process. */
const fakes = new Map<string, VendorFake>()
let folder: string
let second: readonly Launched[]

const trialsAt = (moment: Moment) => moments[moment].map((vendor) => `${vendor} at ${moment}`)
const paid = (moment: Moment) => trialsAt(moment).map((trial) => fakes.get(trial)?.ledger.length)
const once = (moment: Moment) => moments[moment].map(() => 1)
/** Which of the two processes has a job. A service makes eight copies at a time, and here none of them ends. */
const halfOf = (trial: string) => all.indexOf(trial.replace(/ at \w+$/, '')) % 2
/** Launches both processes. */
const launchBoth = (trials: readonly KilledTrial[]) =>
  [0, 1].map((half) => {
    const own = trials.filter(({ trial }) => halfOf(trial) === half)
    return launch(program, { env: { FOLDER: join(folder, String(half)), TRIALS: JSON.stringify(own) } })
  })
/** Resolves when the processes have printed this for all of these jobs. */
const heard = (processes: readonly Launched[], words: string, trials: readonly string[]) =>
  Promise.all(trials.map((trial) => processes[halfOf(trial)]!.heard(new RegExp(`^${trial} ${words}$`, 'm'))))

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'genmount-killed-'))
  const trials: KilledTrial[] = []
  for (const [moment, vendors] of Object.entries(moments)) {
    for (const vendor of vendors) {
      const { fake, stepOf } = vendorCases[vendor]!
      const started = await fake(1)
      const trial = `${vendor} at ${moment}`
      // The vendor executes the request, and its answer is on its way when the process is killed.
      started.trouble(({ method, url }) => stepOf(method, url) === moment, always({ after: 'hold' }))
      fakes.set(trial, started)
      trials.push({ trial, vendor, origin: started.origin, holdsFiles: moment === 'storing' })
    }
  }
  for (const half of ['0', '1']) await mkdir(join(folder, half))
  const first = launchBoth(trials)
  const ids = await heard(first, 'job (\\S+)', [...fakes.keys()])
  await heard(first, 'running', trialsAt('poll'))
  await heard(first, 'storing', trialsAt('storing'))
  const held = () =>
    [...trialsAt('submit'), ...trialsAt('poll')].map((trial) => fakes.get(trial)!.unanswered())
  await until(() => Math.min(...held()) > 0)
  await Promise.all(first.map((one) => one.kill()))
  for (const fake of fakes.values()) fake.calm()
  const released = trials.map((trial, at) => ({ ...trial, holdsFiles: false, job: ids[at]?.[1] }))
  second = launchBoth(released)
})

afterAll(async () => {
  await Promise.all(second.map((one) => one.kill()))
  await Promise.all([...fakes.values()].map((fake) => fake.close()))
  await rm(folder, { recursive: true, force: true })
})

test('a job whose process is killed during its submit fails as submit_ambiguous, or is found again, and is paid for once, at each vendor', async () => {
  // They know an id of ours, so the next process finds the task, or submits it again without a second charge.
  const finds = (trial: string) => {
    const { finds: hasIds, dedupes } = vendorCases[trial.replace(/ at submit$/, '')]!
    return hasIds || dedupes
  }
  await heard(
    second,
    'submit_ambiguous',
    trialsAt('submit').filter((trial) => !finds(trial)),
  )
  await heard(second, 'stored', trialsAt('submit').filter(finds))
  expect(paid('submit')).toEqual(once('submit'))
})

test('a job whose process is killed while the vendor works is finished by the next process and paid for once', async () => {
  await heard(second, 'stored', trialsAt('poll'))
  expect(paid('poll')).toEqual(once('poll'))
})

test('a job whose process is killed while it stores the outputs is paid for once, and the next process stores them if the vendor still has them', async () => {
  const isDurable = (trial: string) => durable.some((vendor) => trial === `${vendor} at storing`)
  await heard(second, 'stored', trialsAt('storing').filter(isDurable))
  // The output of a blocking call was only in the memory of the killed process.
  await heard(
    second,
    'output_invalid',
    trialsAt('storing').filter((trial) => !isDurable(trial)),
  )
  expect(paid('storing')).toEqual(once('storing'))
})
