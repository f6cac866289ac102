import {
  type Backend,
  type Clock,
  isFinished,
  type Job,
  type JobStore,
  type ProviderReport,
} from '@genmount/core'
import type { Capabilities, Command, Script } from './job-life-commands.ts'
import { wrongMoves } from './job-life-rules.ts'
import type { MortalProcess, SharedStore } from './mortal-process.ts'
import { type OpenStore, startWorld } from './simulated-world.ts'

export type JobLifeWorld = ReturnType<typeof jobLifeWorld>

/** How long a process that closes waits at most for its last writes, in milliseconds. */
const waitsForMs = 60_000
const closesWithinMs = 15 * 60_000
/**
 * Two processes on one store, and everything that is known about what they did.
 * @param stepMs the longest step in which time passes, in milliseconds
 */
export function jobLifeWorld(
  { sendsCallbacks, knowsEnds = false, ...offers }: Capabilities,
  openStore: OpenStore,
  stepMs: number,
) {
  const scripts = new Map<string, Script>()
  const finishedTasks: string[] = []
  const created: Job[] = []
  const ends = new Map<string, Job>()
  const heard = new Set<string>()
  const deleted = new Set<string>()
  const answered = new Map<string, Answered>()
  const submitTokens = new Map<string, string | undefined>()
  const lostHands = new Set<MortalProcess>()
  const breaches: string[] = []

  function watched(jobs: JobStore): JobStore {
    return {
      ...jobs,
      insert(job) {
        submitTokens.set(job.id, job.submitToken)
        return jobs.insert(job)
      },
      async replace(next, expectedRevision) {
        const before = await jobs.get(next.id)
        const outcome = await jobs.replace(next, expectedRevision)
        if (outcome === 'stale' || !before) return outcome
        breaches.push(...wrongMoves(before, next))
        submitTokens.set(next.id, next.submitToken)
        if (isFinished(next)) ends.set(next.id, next)
        else ends.delete(next.id)
        return outcome
      },
    }
  }

  function openWatched(): SharedStore {
    const store = openStore()
    const connect = (clock: Clock): Backend => {
      const backend = store.connect(clock)
      return { ...backend, jobs: watched(backend.jobs) }
    }
    return { ...store, connect }
  }

  const world = startWorld(openWatched, {
    vendor: {
      ...offers,
      ...(sendsCallbacks && { sendCallback: (jobId: string) => finishedTasks.push(jobId) }),
      latencyMs: 150,
      behave: ({ input }, attempt) => scripts.get(String(input['prompt']))?.attempts[attempt - 1] ?? {},
    },
    service: { retentionDays: 1, deadlineMs: 300_000 },
    knowsEnds,
    stepMs,
  })
  const { clock, vendor, pass } = world
  const stored = (id: string) => world.jobs.get(id)

  function boot(): Node {
    let freezeMs: number | undefined
    let outage: Extract<Command, { do: 'outage' }> | undefined

    function beginOutage({ store: away, ms }: Extract<Command, { do: 'outage' }>): void {
      if (away === 'jobs') process.storeTrouble = 'away'
      else process.areFilesAway = true
      clock.after(ms, () => {
        if (away === 'jobs') process.storeTrouble = 'none'
        else process.areFilesAway = false
      })
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
          if (report.state === 'running' || report.state === 'succeeded')
            answered.set(task.jobId, { process })
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
  const nodes: [Node, Node] = [boot(), boot()]

  function isKept({ process, failed }: Answered, submitToken: string | undefined): boolean {
    return !lostHands.has(process) && (failed === undefined || failed === submitToken)
  }

  /** After a clock that was set ahead, the next try to delete files may be 6 hours away. */
  async function passPutOffDeletions(): Promise<void> {
    const rows = await Promise.all([...deleted].map((id) => stored(id)))
    const latest = Math.max(...rows.map((row) => row?.deleteAt ?? 0))
    if (latest < clock.now()) return
    clock.set(latest)
    await pass(75_000)
  }

  /** Closes a process. @returns how long that took, in milliseconds */
  async function close({ process }: Node): Promise<number> {
    const beganAt = clock.uptime()
    const closing = { hasEnded: false }
    void process.service.close().then(() => (closing.hasEnded = true))
    for (let passedMs = 0; !closing.hasEnded && passedMs < closesWithinMs; passedMs += 10_000)
      await pass(10_000)
    if (!closing.hasEnded) breaches.push('a process did not close')
    return clock.uptime() - beganAt
  }

  async function obey(step: Command): Promise<void> {
    const node = nodes[step.node as 0 | 1]
    const { service } = node.process
    const id = 'job' in step ? (created[step.job]?.id ?? 'gen_0') : 'gen_0'
    switch (step.do) {
      case 'create': {
        const prompt = step.key === undefined ? `job ${scripts.size}` : `key ${step.key}`
        scripts.set(prompt, step.script)
        const idempotency =
          step.key === undefined ? {} : { idempotency: { key: String(step.key), scope: 's' } }
        const request = { owner: 'alice', model: 'fake-image', input: { prompt }, ...idempotency }
        const creating = { hasEnded: false }
        void service
          .create(request)
          .then(
            ({ job, replayed }) => void (replayed || created.push(job)),
            // When the create is refused, there is no job.
            () => {},
          )
          .finally(() => (creating.hasEnded = true))
        // The hash of the key is computed on another thread, for which the clock does not wait. Meanwhile a
        // write of another job may freeze the process, and then the create gets its answer only later.
        while (!creating.hasEnded && !node.process.isFrozen && node.process.storeTrouble === 'none')
          await pass(0)
        return pass(0)
      }
      case 'pass':
        return pass(step.ms)
      case 'set clock':
        clock.set(clock.now() + step.byMs)
        return pass(0)
      case 'a day later':
        clock.set(clock.now() + 86_400_000)
        return pass(10_000)
      case 'read':
        unwatched(service.get(id, 'alice'))
        return pass(200)
      case 'wait':
        unwatched(service.waitFor(id, 'alice'))
        return pass(200)
      case 'cancel':
        unwatched(service.cancel(id, 'alice'))
        return pass(200)
      case 'delete':
        unwatched(service.delete(id, 'alice').then(() => deleted.add(id)))
        return pass(200)
      case 'callback': {
        const jobId = finishedTasks.at(-1 - (step.job % Math.max(1, finishedTasks.length)))
        if (jobId === undefined) return
        const taken = service.receiveCallback(jobId, vendor.callbackFor(jobId))
        unwatched(taken.then((isTaken) => isTaken && heard.add(jobId)))
        return pass(200)
      }
      case 'forged callback': {
        const forged = { headers: {}, body: new TextEncoder().encode('{"handle":"mine"}') }
        unwatched(service.receiveCallback(id, forged))
        return pass(0)
      }
      case 'freeze':
        return void node.freeze(step.ms, step.isAtWrite)
      case 'outage':
        return void node.outage(step)
      case 'restart':
        // A process in trouble need not wait for answers that it can not get.
        if (isInTrouble(node.process)) lostHands.add(node.process)
        if ((await close(node)) > waitsForMs) lostHands.add(node.process)
        break
      case 'crash':
        node.process.kill()
        lostHands.add(node.process)
    }
    nodes[step.node as 0 | 1] = boot()
  }

  return {
    clock,
    vendor,
    created: created as readonly Job[],
    /** The finished jobs, as they were stored last. */
    ends: ends as ReadonlyMap<string, Job>,
    /** The ids of jobs about which a genuine callback was accepted. */
    heard: heard as ReadonlySet<string>,
    /** The ids of jobs whose owner was told that they are deleted. */
    deleted: deleted as ReadonlySet<string>,
    /**
     * The ids of jobs for which a process had the answer to a submit, if this process was never killed nor
     * closed in trouble. That a submit has failed tells nothing about another submit that began later.
     */
    inLivingHands: () =>
      new Set([...answered].flatMap(([id, answer]) => (isKept(answer, submitTokens.get(id)) ? id : []))),
    breaches: breaches as readonly string[],
    /** Reads a job from the store. @returns `undefined` for a deleted job */
    stored,
    obey,
    /** Ends all troubles, lets a quarter of an hour pass, and the pauses of deletions, and closes the processes. */
    async heal() {
      // This is longer than any freeze and any outage.
      await pass(75_000)
      await pass(900_000)
      await passPutOffDeletions()
      for (const node of nodes) await close(node)
    },
    /** Frees what the store and the processes hold. */
    end: world.close,
  }
}

/** The answer to a submit. */
interface Answered {
  /** The process that has the answer. */
  readonly process: MortalProcess
  /** The token of the submit, if the answer is that the submit has failed. */
  readonly failed?: string | undefined
}

interface Node {
  readonly process: MortalProcess
  freeze(ms: number, isAtWrite: boolean): void
  outage(command: Extract<Command, { do: 'outage' }>): void
}

function isInTrouble({ isFrozen, storeTrouble, areFilesAway }: MortalProcess): boolean {
  return isFrozen || storeTrouble !== 'none' || areFilesAway
}

/** Ignores the outcome of a request, because this test does not check what clients are told. */
function unwatched(request: Promise<unknown>): void {
  request.catch(() => {})
}
