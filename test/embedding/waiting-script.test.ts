import { expect, test } from 'vitest'
import { printedBy } from '../processes/run-program.ts'
import { type Runtime, runtimes } from '../processes/runtimes.ts'

const script = new URL('waiting-script.ts', import.meta.url)

test.concurrent.for(Object.keys(runtimes) as Runtime[])(
  'a script on %s that only awaits waitFor() runs until the job has finished, and then ends',
  async (runtime) => {
    expect(await printedBy(runtime, script, { args: ['finish'] })).toEqual({
      phases: ['completed'],
      handlers: [],
    })
  },
)

test.concurrent.for(Object.keys(runtimes) as Runtime[])(
  'a script on %s that only awaits waitFor() ends after waitBudgetMs without close(), or after close(), and has no handlers of signals and errors',
  async (runtime) => {
    for (const args of [['wait', '800'], ['close']])
      expect(await printedBy(runtime, script, { args })).toEqual({ phases: ['running'], handlers: [] })
  },
)
