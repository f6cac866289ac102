import { expect, test } from 'vitest'
import { printedBy } from '../processes/run-program.ts'
import { type Runtime, runtimes } from '../processes/runtimes.ts'

const script = new URL('waiting-script.ts', import.meta.url)

test.concurrent.for(Object.keys(runtimes) as Runtime[])(
  'a script on %s that only awaits waitFor() runs until the job has finished, and then ends',
  async (runtime) => {
    expect(await printedBy(runtime, script, { args: ['finish'] })).toEqual(['completed'])
  },
)

test.concurrent.for(Object.keys(runtimes) as Runtime[])(
  'a script on %s that only awaits waitFor() ends after waitBudgetMs or after close()',
  async (runtime) => {
    expect(await printedBy(runtime, script, { args: ['wait', '800'] })).toEqual(['running'])
    expect(await printedBy(runtime, script, { args: ['close'] })).toHaveLength(1)
  },
)
