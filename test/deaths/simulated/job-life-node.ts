import type { ProviderReport } from '@genmount/core'
import type { Command } from './job-life-commands.ts'
import type { LifeState } from './job-life-state.ts'
import type { MortalProcess } from './mortal-process.ts'

type Outage = Extract<Command, { do: 'outage' }>

/** One of the two processes of a life, which can get into trouble. */
export interface LifeNode {
  readonly process: MortalProcess
  freeze(ms: number, isAtWrite: boolean): void
  outage(command: Outage): void
}

export function startNode({ world, scripts, submitTokens, answered }: LifeState): LifeNode {
  const { clock } = world
  let freezeMs: number | undefined
  let outage: Outage | undefined

  function beginOutage({ store, ms }: Outage): void {
    const setAway = (isAway: boolean) => {
      if (store === 'jobs') process.storeTrouble = isAway ? 'away' : 'none'
      else process.areFilesAway = isAway
    }
    setAway(true)
    clock.after(ms, () => setAway(false))
  }

  function freeze(ms: number): void {
    freezeMs = undefined
    process.freeze()
    clock.after(ms, () => void process.thaw())
  }

  async function underWay(report: ProviderReport, prompt: unknown): Promise<ProviderReport> {
    const { answerMs = 0 } = scripts.get(String(prompt)) ?? {}
    if (answerMs > 0) await new Promise<void>((resolve) => clock.after(answerMs, resolve))
    return report
  }

  const process = world.start(() => freezeMs !== undefined && freeze(freezeMs), {
    wrap: (provider) => ({
      ...provider,
      async submit(task, call) {
        const submitToken = submitTokens.get(task.jobId)
        const report = await underWay(await provider.submit(task, call), task.input['prompt'])
        if (outage) beginOutage(outage)
        outage = undefined
        if (report.state === 'running' || report.state === 'succeeded') answered.set(task.jobId, { process })
        if (report.state === 'failed') answered.set(task.jobId, { process, failed: submitToken })
        return report
      },
      poll: async (task, call) => underWay(await provider.poll(task, call), task.input['prompt']),
    }),
  })
  return {
    process,
    freeze: (ms, isAtWrite) => (isAtWrite ? (freezeMs = ms) : freeze(ms)),
    outage: (command) => (command.isAtAnswer ? (outage = command) : beginOutage(command)),
  }
}
