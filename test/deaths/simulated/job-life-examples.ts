import { type FakeBehaviour, type FakeFault, lost } from '@genmount/testing'
import type { Capabilities, Command } from './job-life-commands.ts'

function create(behaviour: FakeBehaviour = {}, answerMs = 0): Command {
  return createWith([behaviour], answerMs)
}
function createWith(attempts: FakeBehaviour[], answerMs: number): Command {
  return { node: 0, do: 'create', script: { attempts, answerMs }, key: undefined }
}
const pass = (ms: number): Command => ({ node: 0, do: 'pass', ms })
const setClock = (byMs: number): Command => ({ node: 0, do: 'set clock', byMs })
const callback = (node: number): Command => ({ node, do: 'callback', job: 0 })
const crash: Command = { node: 0, do: 'crash' }
const freeze = (ms: number, isAtWrite = false): Command => ({ node: 0, do: 'freeze', ms, isAtWrite })
const jobsAwayAtAnswer = (node: number, ms: number): Command => ({
  node,
  do: 'outage',
  store: 'jobs',
  ms,
  isAtAnswer: true,
})

const stillRunning: FakeFault = { report: { state: 'running', handle: { fakeTask: 1 }, pollAfterMs: 5000 } }

/**
 * Lives of jobs. Random search has found most of them, as the smallest of their kinds that went wrong. Their jobs complete,
 * except in lives that are `undeliverable`.
 */
export const examples: Readonly<
  Record<string, readonly [readonly Command[], Capabilities?, 'undeliverable'?]>
> = {
  'a callback during a submit that hangs, whose process is then killed': [
    [create({ answer: 'hang', delayMs: 500 }), pass(2000), callback(0), crash],
    { sendsCallbacks: true },
  ],
  'a callback during a submit that hangs': [
    [create({ answer: 'hang', delayMs: 500 }), pass(2000), callback(0)],
    { sendsCallbacks: true },
  ],
  'a callback after the job has failed as submit_ambiguous': [
    [create({ answer: 'reset', delayMs: 500 }), pass(60_000), pass(60_000), pass(60_000), callback(0)],
    { sendsCallbacks: true },
  ],
  'a clock set ahead by 31 s during a submit': [[create({}, 15_000), pass(1000), setClock(31_000)]],
  'a clock set ahead by 10 minutes during a submit': [[create({}, 15_000), pass(1000), setClock(600_000)]],
  'a clock set ahead by an hour during a submit that can be found': [
    [create({ delayMs: 3000 }, 15_000), pass(1000), setClock(3_600_000)],
    { find: true },
  ],
  'a clock put back by 59 minutes while a task runs': [
    [create({ delayMs: 20_000 }), pass(1000), setClock(-3_540_000)],
  ],
  'a clock put back by 59 minutes before a restart': [
    [create({ delayMs: 20_000 }), pass(1000), crash, setClock(-3_540_000), { node: 1, do: 'crash' }],
    { find: true },
  ],
  'a clock set ahead by an hour while a task runs': [
    [create({ delayMs: 30_000, poll: [stillRunning] }), pass(1000), setClock(3_600_000)],
  ],
  'a clock set ahead by 10 minutes while a task runs': [
    [create({ delayMs: 20_000 }), pass(1000), setClock(600_000)],
  ],
  'ten seconds in which the vendor does not know the task': [
    [create({ delayMs: 500, poll: [lost, lost, lost, lost] })],
  ],
  'a freeze for 40 s with bytes under way, while the other process takes the job over': [
    [create({}, 8000), pass(1000), freeze(40_000)],
  ],
  'a freeze for 5 minutes with an answer under way': [
    [create({ delayMs: 3000 }, 8000), pass(1000), freeze(300_000), pass(300_000)],
  ],
  'a freeze for longer than a submit may take, with its answer under way': [
    [create({ delayMs: 3000 }, 5000), pass(1000), freeze(70_000)],
  ],
  'a freeze at the claim of the job, which the other process then finishes': [
    [freeze(70_000, true), create()],
    { find: true },
  ],
  'a late answer of a failed submit, after the other process has submitted the job again': [
    [
      createWith([{ submit: 'hang' }, { failure: { code: 'content_policy' } }, { answer: 'reset' }], 22_000),
      { node: 1, do: 'freeze', ms: 40_000, isAtWrite: false },
      pass(11_600),
      { node: 0, do: 'restart' },
      setClock(600_000),
      jobsAwayAtAnswer(1, 1000),
    ],
    { dedupesSubmits: true },
    'undeliverable',
  ],
  'a job store that is away for 15 s when bytes have come': [[jobsAwayAtAnswer(0, 15_000), create()]],
  'a job store that is away for 60 s when bytes have come': [[jobsAwayAtAnswer(0, 60_000), create()]],
  'a file store that is away as a finished job is deleted, and a clock that is then set ahead by a day': [
    [
      create(),
      pass(2000),
      { node: 0, do: 'outage', store: 'files', ms: 15_000, isAtAnswer: false },
      { node: 1, do: 'outage', store: 'files', ms: 15_000, isAtAnswer: false },
      { node: 0, do: 'delete', job: 0 },
      { node: 0, do: 'a day later' },
    ],
    {},
    'undeliverable',
  ],
}
